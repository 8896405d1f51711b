import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import { requestIngest } from './request-ingest.ts';

/**
 * Queues ingests at startup and after a change of the leader: local folders, which may have changed, and git layers
 * without an ingest. The lowest precedence comes first, so that parents precede children.
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
