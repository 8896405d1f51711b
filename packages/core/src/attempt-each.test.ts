import { expect, test } from 'vitest';
import { attemptEach } from './attempt-each.ts';

test('attemptEach continues after a failed item and throws the first failure', async () => {
  const done: number[] = [];
  const { signal } = new AbortController();
  async function work(item: number): Promise<void> {
    if (item % 2 === 0) throw new Error(`no ${item}`);
    done.push(item);
  }
  await expect(attemptEach([1, 2, 3, 4, 5], work, signal)).rejects.toThrow('no 2');
  expect(done).toEqual([1, 3, 5]);
});

test('attemptEach starts no item after the signal fires', async () => {
  const done: number[] = [];
  const ending = new AbortController();
  async function work(item: number): Promise<void> {
    done.push(item);
    if (item === 2) ending.abort();
  }
  await attemptEach([1, 2, 3], work, ending.signal);
  expect(done).toEqual([1, 2]);
});
