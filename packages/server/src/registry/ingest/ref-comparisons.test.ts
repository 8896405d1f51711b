import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startComparisons } from './ref-comparisons.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SECOND = 1000;
const TIMEOUT_MS = 10 * SECOND;

function hang(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS));
}

test('N unresponsive hosts delay the next comparison by at most N seconds', async () => {
  for (const n of [1, 2, 20, 100]) {
    const comparisons = startComparisons();
    let compared = false;
    for (let at = 0; at < n; at += 1) void comparisons.run(hang);
    void comparisons.run(async () => void (compared = true));
    await vi.advanceTimersByTimeAsync(n * SECOND);
    expect([n, compared]).toEqual([n, true]);
  }
});

test('two comparisons use a slot at a time, and at most 16 run, including those that wait for their hosts', async () => {
  const comparisons = startComparisons();
  let running = 0;
  const count = async (): Promise<void> => {
    running += 1;
    await hang();
    running -= 1;
  };
  for (let at = 0; at < 40; at += 1) void comparisons.run(count);
  const seen: number[] = [];
  for (let at = 0; at < 9; at += 1) {
    seen.push(running);
    await vi.advanceTimersByTimeAsync(SECOND);
  }
  expect(seen).toEqual([2, 4, 6, 8, 10, 12, 14, 16, 16]);
});

test('ended() waits for comparisons without a slot and throws the first failure', async () => {
  const comparisons = startComparisons();
  const failed = async (): Promise<void> => {
    await hang();
    throw new Error('the store is gone');
  };
  const slot = comparisons.run(failed);
  await vi.advanceTimersByTimeAsync(SECOND);
  await slot;
  const ended = expect(comparisons.ended()).rejects.toThrow('the store is gone');
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
  await ended;
});
