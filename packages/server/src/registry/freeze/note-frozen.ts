import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';

/** Records that an ingest of the layer is owed. Keeps the time of the first blocked ingest. */
export async function noteFrozen(
  { layers }: StoreWrites,
  tenant: Tenant,
  layer_id: string,
  now: string,
): Promise<void> {
  const layer = await layers.get(tenant, layer_id);
  if (layer === undefined || layer.deleted_at !== null || layer.frozen_since !== null) return;
  await layers.noteFrozen(tenant, layer.number, now);
}
