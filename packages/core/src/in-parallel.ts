export interface ParallelOptions {
  /** Items that are worked on at the same time. */
  parallel: number;
  signal?: AbortSignal | undefined;
}

/**
 * Works on a few items at a time and returns the results in the order of the items. After a failure, or
 * when the signal aborts, no other item is started and the signal given to `work` aborts. The promise
 * settles only when no work is running any more.
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
