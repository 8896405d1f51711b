import type { StoreWrites } from '@catalog/core/ports/store';
import type { Registry } from '../registry.ts';

/** Stays well below the statement timeout. */
const BATCH_SIZE = 5_000;

/** Each batch is a short transaction, so that others wait only briefly. */
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
