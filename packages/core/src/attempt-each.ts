import { inParallel } from './in-parallel.ts';

/**
 * Works on one item after the other, or on `parallel` ones at a time, until the signal fires. One that fails
 * holds up no other; the first failure is thrown at the end.
 */
export async function attemptEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  signal: AbortSignal,
  parallel = 1,
): Promise<void> {
  const failures: unknown[] = [];
  await inParallel(items, { parallel }, async (item) => {
    if (signal.aborted) return;
    await work(item).catch((cause: unknown) => void failures.push(cause));
  });
  if (signal.aborted) return;
  if (failures.length > 0) throw failures[0];
}
