import { POPULAR_DAYS } from '@catalog/core/ports/artifact-usage';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import { pruneInBatches } from './prune-in-batches.ts';

const DAY_MILLISECONDS = 86_400_000;
const DAY_LENGTH = '2026-01-02'.length;
/** A year, and the month before it for comparison. */
const USAGE_DAYS = 400;

/** Deletes old reads and counts, and removes old days from the popularity of artifacts. */
export async function sweepReads(
  registry: Registry,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const { store, settings } = registry;
  const before = (days: number): string =>
    new Date(registry.now().getTime() - days * DAY_MILLISECONDS).toISOString();
  if (settings.read_retention_days > 0) {
    const oldest = before(settings.read_retention_days);
    await pruneInBatches(
      registry,
      ({ read_log }, max_deleted) => read_log.prune(tenant, oldest, max_deleted),
      signal,
    );
  }
  const oldestDay = before(USAGE_DAYS).slice(0, DAY_LENGTH);
  await pruneInBatches(
    registry,
    ({ artifact_usage }, max_deleted) => artifact_usage.prune(tenant, oldestDay, max_deleted),
    signal,
  );
  const since = before(POPULAR_DAYS).slice(0, DAY_LENGTH);
  for (const layer of await store.artifact_usage.listUsedLayers(tenant)) {
    if (signal.aborted) return;
    await store.transaction(({ artifact_usage }) =>
      artifact_usage.refreshPopular(tenant, layer, since),
    );
  }
}
