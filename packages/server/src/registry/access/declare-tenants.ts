import type { StoreWrites } from '@catalog/core/ports/store';
import { ONLY_TENANT, ONLY_TENANT_NAME } from '@catalog/core/ports/tenant';
import { systemAuditContext, type AuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { addTenant } from './add-tenant.ts';
import { changeTenant } from './change-tenant.ts';
import { grantRole } from './grant-role.ts';
import { tenantId } from './tenant-id.ts';

export interface FirstAdmin {
  tenant: string;
  user_id: string;
}

/**
 * Creates the tenants of the configuration and grants the roles it names. A single tenant always follows the
 * configuration; of several tenants, existing ones keep their state.
 */
export async function declareTenants(
  registry: Registry,
  admins: readonly FirstAdmin[],
): Promise<void> {
  const auditContext = systemAuditContext(registry, 'bootstrap');
  const { default_quota: quota } = registry.settings;
  await registry.store.transaction((writes) => declareOnly(registry, writes, auditContext));
  for (const { tenant, user_id } of admins) {
    await registry.store.transaction(async (writes) => {
      const { tenant: number } =
        (await writes.tenants.find(tenant)) ??
        (await addTenant(writes, auditContext, { name: tenant, quota, ...UNSET }));
      await grantRole(writes, number, auditContext, user_id);
    });
  }
}

/** Settings of a new tenant, all of which fall back to the deployment. */
const UNSET = { expose_scope_preview: null, extends_parents: null };

/** Creates a tenant of the configuration, without an audit record. */
async function declareOnly(
  { settings }: Registry,
  writes: StoreWrites,
  auditContext: AuditContext,
): Promise<void> {
  const { multi_tenant, default_quota: quota } = settings;
  const stored = await writes.tenants.get(ONLY_TENANT);
  const declared = { quota, ...UNSET, active: true };
  if (stored === undefined) {
    const created_at = auditContext.now.toISOString();
    const named = { id: tenantId(ONLY_TENANT_NAME), name: ONLY_TENANT_NAME };
    await writes.tenants.create({ ...declared, ...named, created_at }, ONLY_TENANT);
  } else if (!multi_tenant) {
    await changeTenant(writes, auditContext, stored, declared);
  }
}
