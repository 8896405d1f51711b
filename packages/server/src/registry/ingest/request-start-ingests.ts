import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import { requestIngest } from './request-ingest.ts';

/**
 * Queues the ingests that a registry needs when it starts, or when another of its processes takes the
 * lead: directories, which may have been edited meanwhile, and git layers that were never read. Git layers
 * that were read before are compared with their hosts later (`requestMovedIngests`). Lowest precedence
 * first, so that parents come before children.
 */
export async function requestStartIngests(registry: Registry, tenant: Tenant): Promise<void> {
  const stored = await registry.store.layers.list(tenant);
  const layers = composeLayers(stored, { kind: 'open' }).filter(
    ({ source_type, source_state }) => source_type === 'local' || source_state === null,
  );
  if (layers.length === 0) return;
  await registry.store.transaction(async (writes) => {
    for (const { id, source_state } of layers) {
      await requestIngest(registry, writes, tenant, {
        layer_id: id,
        full: source_state === null,
        trigger: 'start',
      });
    }
  });
}
