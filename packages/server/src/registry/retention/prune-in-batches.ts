import type { StoreWrites } from '@catalog/core/ports/store';
import type { Registry } from '../registry.ts';

/** So many rows are deleted well within the time a statement may take, however many have expired. */
const MOST_AT_ONCE = 5_000;

/**
 * Prunes until nothing is left to prune, or until the signal fires. Each batch is a transaction, which others
 * wait for only a moment.
 */
export async function pruneInBatches(
  { store }: Registry,
  prune: (writes: StoreWrites, most: number) => Promise<number>,
  signal: AbortSignal,
): Promise<void> {
  let pruned = MOST_AT_ONCE;
  while (pruned === MOST_AT_ONCE && !signal.aborted) {
    pruned = await store.transaction((writes) => prune(writes, MOST_AT_ONCE));
  }
}
