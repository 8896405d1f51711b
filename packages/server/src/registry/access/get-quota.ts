import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { QuotaAnswer } from '@catalog/contract/records/access';
import type { CallContext, Registry } from '../registry.ts';

/** What the caller's tenant may use, and what it uses now. */
export async function getQuota(
  registry: Registry,
  { tenant, record }: CallContext,
): Promise<QuotaAnswer> {
  if (record === undefined) {
    throw new CatalogError(
      'registry.not_found',
      'There is no record of what this tenant may use.',
      {
        suggested_action:
          'Ask the operator of the registry to start it again, which makes the record.',
      },
    );
  }
  return {
    tenant_id: record.id,
    limits: record.quota,
    usage: await registry.store.tenants.usage(tenant, registry.now().toISOString()),
  };
}
