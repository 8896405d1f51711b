import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantReads } from '@catalog/core/ports/tenants';
import type { Registry } from '../registry.ts';
import { quotaOf } from './quota-of.ts';

const DAY_SECONDS = 86_400;

/**
 * Throws if the audit volume of the day is used up, until midnight UTC. Unregistering a layer and revoking a role do
 * not call it, because they must always be possible.
 */
export async function requireAuditVolume(
  registry: Registry,
  tenants: TenantReads,
  tenant: Tenant,
): Promise<void> {
  const { audit_volume_per_day: limit } = await quotaOf(registry, tenants, tenant);
  if (limit === 0) return;
  const now = registry.now();
  const { audit_volume_today: current } = await tenants.usage(tenant, now.toISOString());
  if (current < limit) return;
  const retry_after_seconds = DAY_SECONDS - (Math.floor(now.getTime() / 1000) % DAY_SECONDS);
  throw new CatalogError(
    'quota.audit_volume_exceeded',
    `The tenant's limit of ${limit} audit records per day is reached; changes are rejected until midnight UTC.`,
    { details: { limit, current, retry_after_seconds } },
  );
}
