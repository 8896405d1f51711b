import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantReads } from '@catalog/core/ports/tenants';
import type { Registry } from '../registry.ts';

/**
 * Makes a change that brings a layer's artifacts back to life; refuses it, in the transaction of the
 * change, when the tenant would serve more than it may. An ingest is refused them one by one instead.
 */
export async function withinArtifactCount(
  registry: Registry,
  tenants: TenantReads,
  tenant: Tenant,
  change: () => Promise<void>,
): Promise<void> {
  const limit = registry.settings.artifact_count_quota;
  if (limit === 0) return change();
  const count = async (): Promise<number> =>
    (await tenants.usage(tenant, registry.now().toISOString())).artifact_count;
  const current = await count();
  await change();
  const after = await count();
  if (after <= limit || after === current) return;
  throw new CatalogError(
    'quota.artifact_count_exceeded',
    `The tenant's limit is ${limit} artifacts; its layers have ${current}, and this one has ${after - current}.`,
    { details: { limit, current } },
  );
}
