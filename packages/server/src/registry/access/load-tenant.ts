import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { TenantRecord, TenantWrites } from '@catalog/core/ports/tenants';

export async function loadTenant(tenants: TenantWrites, id: string): Promise<TenantRecord> {
  const found = await tenants.find(id);
  // This read locks the tenant until the transaction ends.
  const stored = found?.id === id ? await tenants.get(found.tenant) : undefined;
  if (stored !== undefined) return stored;
  throw new CatalogError('registry.tenant_not_found', `Tenant not found: ${id}.`, {
    details: { id },
    suggested_action: 'List all tenants with `GET /v1/admin/tenants`.',
  });
}
