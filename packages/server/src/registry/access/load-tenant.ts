import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { TenantRecord, TenantWrites } from '@catalog/core/ports/tenants';

/** The tenant of an id, to be changed; a name is none. */
export async function loadTenant(tenants: TenantWrites, id: string): Promise<TenantRecord> {
  const found = await tenants.find(id);
  // Read again by its number: from then on nobody else changes it before this is done.
  const stored = found?.id === id ? await tenants.get(found.tenant) : undefined;
  if (stored !== undefined) return stored;
  throw new CatalogError('registry.tenant_not_found', `Tenant not found: ${id}.`, {
    details: { id },
    suggested_action: 'List all tenants with `GET /v1/admin/tenants`.',
  });
}
