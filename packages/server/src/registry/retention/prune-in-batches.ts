import type { StoreWrites } from '@catalog/core/ports/store';
import type { Registry } from '../registry.ts';

/** Rows per batch, few enough for the statement timeout. */
const BATCH_SIZE = 5_000;

/** Deletes old rows in short transactions, so that others wait only briefly. */
export async function pruneInBatches(
  { store }: Registry,
  prune: (writes: StoreWrites, most: number) => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  let pruned = BATCH_SIZE;
  while (pruned === BATCH_SIZE && !signal.aborted) {
    pruned = await store.transaction((writes) => prune(writes, BATCH_SIZE));
  }
}
