import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Occasion } from '../occasion.ts';

export async function cancelIngests(
  writes: StoreWrites,
  tenant: Tenant,
  occasion: Occasion,
  { id }: Pick<LayerRecord, 'id'>,
): Promise<void> {
  const error = new CatalogError('registry.not_found', `The layer ${id} was unregistered.`, {
    details: { id },
  });
  await writes.jobs.cancel(tenant, id, {
    error: error.toEnvelope(),
    now: occasion.now.toISOString(),
  });
}
