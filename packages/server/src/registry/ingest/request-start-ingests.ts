import { composeLayers } from '@catalog/core/layer/compose-layers';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import { requestIngest } from './request-ingest.ts';

/**
 * Asks for an ingest of every layer when the registry starts, and when another of its processes takes
 * the lead: what was edited or pushed while nobody looked is found without anybody telling. Lowest
 * precedence first, so that parents come before children.
 */
export async function requestStartIngests(registry: Registry, tenant: Tenant): Promise<void> {
  const layers = composeLayers(await registry.store.layers.list(tenant), { kind: 'open' });
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
