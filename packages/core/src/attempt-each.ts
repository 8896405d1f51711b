import { inParallel } from './in-parallel.ts';

/** Processes items until the signal fires. Throws the first failure after all other items. */
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
