import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { QuotaAnswer } from '@catalog/contract/records/access';
import type { CallContext, Registry } from '../registry.ts';

/** What the caller's tenant may use, and what it uses now. */
export async function getQuota(
  registry: Registry,
  { tenant, record }: CallContext,
): Promise<QuotaAnswer> {
  if (record === undefined) {
    throw new CatalogError('registry.not_found', 'The quota record of this tenant is missing.', {
      suggested_action: 'Ask the operator to restart the registry, which creates the record.',
    });
  }
  return {
    tenant_id: record.id,
    limits: record.quota,
    usage: await registry.store.tenants.usage(tenant, registry.now().toISOString()),
  };
}
