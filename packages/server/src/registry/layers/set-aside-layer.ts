import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Occasion } from '../occasion.ts';
import { cancelIngests } from './cancel-ingests.ts';
import { recordLayerChange } from './record-change.ts';

/**
 * Frees the id for another owner (SPEC-85). The retention sweep purges the content after the recovery
 * window.
 */
export async function setAsideLayer(
  writes: StoreWrites,
  tenant: Tenant,
  occasion: Occasion,
  stored: LayerRecord,
): Promise<void> {
  await cancelIngests(writes, tenant, occasion, stored);
  await writes.layers.setAside(tenant, stored, occasion.now.toISOString());
  if (stored.deleted_at !== null) return;
  await recordLayerChange(writes, tenant, occasion, {
    action: 'unregister',
    layers: [stored],
    publishes: true,
  });
}
