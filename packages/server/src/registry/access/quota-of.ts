import type { Tenant } from '@catalog/core/ports/tenant';
import type { TenantQuota, TenantReads } from '@catalog/core/ports/tenants';
import type { Registry } from '../registry.ts';

/** Returns the quota of a tenant; the default of the deployment if there is no record. */
export async function quotaOf(
  { settings }: Registry,
  tenants: TenantReads,
  tenant: Tenant,
): Promise<TenantQuota> {
  return (await tenants.get(tenant))?.quota ?? settings.default_quota;
}
