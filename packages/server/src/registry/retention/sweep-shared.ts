import type { Registry } from '../registry.ts';
import { dropUnwantedModels } from '../search/adopt-model.ts';
import { pruneInBatches } from './prune-in-batches.ts';

const DAY_MILLISECONDS = 86_400_000;

/** Covers sessions, deliveries (SPEC-30), and vectors of former models. */
export async function sweepShared(registry: Registry, signal: AbortSignal): Promise<void> {
  const now = registry.now();
  const yesterday = new Date(now.getTime() - DAY_MILLISECONDS);
  await pruneInBatches(
    registry,
    ({ sessions }, most) => sessions.prune(now.toISOString(), most),
    signal,
  );
  await pruneInBatches(
    registry,
    ({ deliveries }, most) => deliveries.prune(yesterday.toISOString(), most),
    signal,
  );
  await dropUnwantedModels(registry);
}
