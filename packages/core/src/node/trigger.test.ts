import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createTrigger } from './trigger.ts';

describe('a trigger', () => {
  test('turns a burst into one wake-up', async () => {
    const trigger = createTrigger({ debounce_ms: 30, longest_ms: 5000 });
    const { signal } = new AbortController();
    for (let count = 0; count < 1000; count += 1) trigger.fire();
    await trigger.settled(signal);
    const second = trigger.settled(AbortSignal.timeout(90)).then(() => 'settled');
    expect(await Promise.race([second, delay(60).then(() => 'quiet')])).toBe('quiet');
    await second;
  });

  test('remembers what fired while nobody waited', async () => {
    const trigger = createTrigger({ debounce_ms: 5, longest_ms: 5000 });
    trigger.fire();
    await delay(10);
    const started = performance.now();
    await trigger.settled(new AbortController().signal);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('does not let a burst that never pauses put a run off for ever', async () => {
    const trigger = createTrigger({ debounce_ms: 50, longest_ms: 200 });
    const timer = setInterval(trigger.fire, 5);
    trigger.fire();
    const settled = trigger.settled(new AbortController().signal).then(() => 'settled');
    expect(await Promise.race([settled, delay(3000).then(() => 'starved')])).toBe('settled');
    clearInterval(timer);
  });

  test('lets go when asked to stop', async () => {
    const controller = new AbortController();
    const settled = createTrigger({ debounce_ms: 5, longest_ms: 5 }).settled(controller.signal);
    controller.abort();
    await settled;
  });
});
