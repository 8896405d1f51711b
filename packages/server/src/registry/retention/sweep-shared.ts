import type { Registry } from '../registry.ts';
import { dropUnwantedModels } from '../search/adopt-model.ts';
import { pruneInBatches } from './prune-in-batches.ts';

const DAY_MILLISECONDS = 86_400_000;

/** Removes expired sessions, deliveries (SPEC-30), and vectors of former models. */
export async function sweepShared(registry: Registry, signal: AbortSignal): Promise<void> {
  const now = registry.now();
  const yesterday = new Date(now.getTime() - DAY_MILLISECONDS);
  await pruneInBatches(
    registry,
    ({ sessions }, max_deleted) => sessions.prune(now.toISOString(), max_deleted),
    signal,
  );
  await pruneInBatches(
    registry,
    ({ deliveries }, max_deleted) => deliveries.prune(yesterday.toISOString(), max_deleted),
    signal,
  );
  await dropUnwantedModels(registry);
}
