export interface ParallelOptions {
  parallel: number;
  signal?: AbortSignal | undefined;
}

/**
 * Processes items concurrently and returns results in their order. After a failure or an abort, no further item starts
 * and the signal of `work` aborts. Settles when all running work has ended.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  { parallel, signal }: ParallelOptions,
  work: (item: Item, signal: AbortSignal) => Promise<Result>,
): Promise<Result[]> {
  const failure = new AbortController();
  const either = signal === undefined ? failure.signal : AbortSignal.any([failure.signal, signal]);
  const results: Result[] = [];
  const waiting = items.entries();
  async function workThrough(): Promise<void> {
    for (const [position, item] of waiting) {
      either.throwIfAborted();
      results[position] = await work(item, either);
    }
  }
  const workers = Array.from({ length: Math.min(parallel, items.length) }, () =>
    workThrough().catch((error: unknown) => {
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  if (failure.signal.aborted) throw failure.signal.reason;
  return results;
}
