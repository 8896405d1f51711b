import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createTrigger } from './trigger.ts';

describe('createTrigger', () => {
  test('merges a burst into one wake-up', async () => {
    const trigger = createTrigger({ debounce_ms: 30, longest_ms: 5000 });
    const { signal } = new AbortController();
    for (let count = 0; count < 1000; count += 1) trigger.fire();
    await trigger.settled(signal);
    const second = trigger.settled(AbortSignal.timeout(90)).then(() => 'settled');
    expect(await Promise.race([second, delay(60).then(() => 'quiet')])).toBe('quiet');
    await second;
  });

  test('remembers a trigger that fired before the wait', async () => {
    const trigger = createTrigger({ debounce_ms: 5, longest_ms: 5000 });
    trigger.fire();
    await delay(10);
    const started = performance.now();
    await trigger.settled(new AbortController().signal);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test('wakes up during a burst without a pause', async () => {
    const trigger = createTrigger({ debounce_ms: 50, longest_ms: 200 });
    const timer = setInterval(trigger.fire, 5);
    trigger.fire();
    const settled = trigger.settled(new AbortController().signal).then(() => 'settled');
    expect(await Promise.race([settled, delay(3000).then(() => 'starved')])).toBe('settled');
    clearInterval(timer);
  });

  test('stops waiting if the signal aborts', async () => {
    const controller = new AbortController();
    const settled = createTrigger({ debounce_ms: 5, longest_ms: 5 }).settled(controller.signal);
    controller.abort();
    await settled;
  });
});
