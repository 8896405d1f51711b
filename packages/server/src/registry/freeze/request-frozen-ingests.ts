import type { Tenant } from '@catalog/core/ports/tenant';
import { requestIngest } from '../ingest/request-ingest.ts';
import { mayIngest } from '../layers/declared-sources.ts';
import type { Registry } from '../registry.ts';
import { listBlocking } from './require-unfrozen.ts';

/**
 * Queues one ingest for each layer that a window blocked, once no window is active: git hosts do not
 * repeat the deliveries.
 */
export async function requestFrozenIngests(registry: Registry, tenant: Tenant): Promise<void> {
  const { store } = registry;
  if ((await listBlocking(registry, store.freezes, tenant, 'ingest')).length > 0) return;
  await store.transaction(async (writes) => {
    for (const layer of await writes.layers.list(tenant)) {
      if (layer.frozen_since === null) continue;
      if (mayIngest(registry, tenant, layer)) {
        await requestIngest(registry, writes, tenant, {
          layer_id: layer.id,
          full: true,
          trigger: 'retry',
        });
      }
      await writes.layers.noteFrozen(tenant, layer.number, null);
    }
  });
}
