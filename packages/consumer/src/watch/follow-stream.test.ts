import { openConnection } from '@catalog/sdk/connection';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followStream } from './follow-stream.ts';

test('followStream doubles the pause after each failed attempt, up to eight seconds', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const attempts: number[] = [];
  const connection = openConnection({
    registry: 'http://127.0.0.1:9',
    transport: () => {
      attempts.push(Date.now());
      return Promise.reject(new Error('connect ECONNREFUSED'));
    },
  });
  const stop = new AbortController();
  const options = { types: [], onOpen: vi.fn(), onLine: vi.fn(), onNews: vi.fn() };
  const ended = followStream(connection, options, stop.signal).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  stop.abort();
  await ended;
  const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
  expect(pauses.slice(0, 8)).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000, 8000]);
});
