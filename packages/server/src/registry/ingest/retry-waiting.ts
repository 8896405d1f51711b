import type { StoreWrites } from '@catalog/core/ports/store';
import type { Registry } from '../registry.ts';
import type { IngestRun } from './ingest-run.ts';
import { mayAffect } from './layer-owner.ts';

/**
 * Retries artifacts of other layers that were rejected because one of these ids was missing (SPEC-56). Runs in the
 * transaction that adds the ids.
 */
export async function retryWaiting(
  registry: Registry,
  writes: StoreWrites,
  { job, layer }: IngestRun,
  appeared: readonly string[],
): Promise<void> {
  if (appeared.length === 0) return;
  const waiting = await writes.versions.listWaiting(job.tenant, appeared);
  const byLayer = Map.groupBy(waiting, (row) => row.layer);
  byLayer.delete(layer.number);
  if (byLayer.size === 0) return;
  for (const other of await writes.layers.list(job.tenant)) {
    const rows = byLayer.get(other.number);
    if (rows === undefined) continue;
    if (!(await mayAffect(registry, writes, job.tenant, other, layer))) continue;
    await writes.jobs.enqueue(job.tenant, {
      job: registry.newId(),
      layer_id: other.id,
      request: {
        full: false,
        retry: rows.map(({ artifact_id }) => artifact_id),
        trigger: 'retry',
      },
      now: registry.now().toISOString(),
    });
  }
}
