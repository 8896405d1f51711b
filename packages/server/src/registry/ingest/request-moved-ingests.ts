import type { IngestTrigger } from '@catalog/contract/records/ingest';
import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import { mayIngest } from '../layers/declared-sources.ts';
import type { Registry } from '../registry.ts';
import { requestIngest } from './request-ingest.ts';

/** Comparisons at the same time: few, so that a push during a start has lanes and CPU left. */
const PARALLEL = 2;

/**
 * Queues an ingest of each git layer whose ref no longer means the commit of its last ingest. A layer
 * whose ref did not move costs one `git ls-remote`. If its host cannot be reached, the ingest reports why.
 */
export async function requestMovedIngests(
  registry: Registry,
  tenant: Tenant,
  trigger: IngestTrigger,
  signal: AbortSignal,
): Promise<void> {
  const stored = await registry.store.layers.list(tenant);
  const layers = composeLayers(stored, { kind: 'open' })
    .filter((layer) => isRead(layer) && mayIngest(registry, tenant, layer))
    .values();
  const work = async (): Promise<void> => {
    for (const layer of layers) {
      if (signal.aborted) return;
      if (!(await hasMoved(registry, layer, signal)) || signal.aborted) continue;
      await registry.store.transaction((writes) =>
        requestIngest(registry, writes, tenant, { layer_id: layer.id, full: false, trigger }),
      );
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

/** Whether a git layer was read before, so that its last commit is known. */
function isRead({ source_type, source_state }: LayerRecord): boolean {
  return source_type === 'git' && source_state !== null;
}

async function hasMoved(
  registry: Registry,
  layer: LayerRecord,
  signal: AbortSignal,
): Promise<boolean> {
  const commit = await registry.sources.git.probe(layer, signal).catch(() => undefined);
  return commit === undefined || commit !== layer.last_ingested_ref;
}
