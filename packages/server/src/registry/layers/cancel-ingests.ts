import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { LayerRecord } from '@catalog/core/ports/layers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { AuditContext } from '../audit-context.ts';

export async function cancelIngests(
  writes: StoreWrites,
  tenant: Tenant,
  auditContext: AuditContext,
  { id }: Pick<LayerRecord, 'id'>,
): Promise<void> {
  const error = new CatalogError('registry.not_found', `The layer ${id} was unregistered.`, {
    details: { id },
  });
  await writes.jobs.cancel(tenant, id, {
    error: error.toEnvelope(),
    now: auditContext.now.toISOString(),
  });
}
