import type { CreateTenantBody, TenantAnswer } from '@catalog/contract/records/access';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { addTenant } from './add-tenant.ts';
import { grantRole } from './grant-role.ts';
import { mergeQuota } from './merge-quota.ts';
import { toWireTenant } from './to-wire-tenant.ts';

export interface CreatedTenant {
  tenant: TenantAnswer;
  /** False if the tenant already existed; it is then unchanged. */
  is_new: boolean;
}

export async function createTenant(
  registry: Registry,
  context: CallContext,
  {
    name,
    quota,
    expose_scope_preview = null,
    extends_parents = null,
    admins = [],
  }: CreateTenantBody,
): Promise<CreatedTenant> {
  const auditContext = callAuditContext(registry, context);
  return registry.store.transaction(async (writes) => {
    const stored = await writes.tenants.find(name);
    if (stored !== undefined && stored.name !== name) throw tenantIdConflict();
    if (stored !== undefined) return { tenant: toWireTenant(stored), is_new: false };
    const created = await addTenant(writes, auditContext, {
      name,
      quota: mergeQuota(registry.settings.default_quota, quota),
      expose_scope_preview,
      extends_parents,
    });
    for (const user_id of admins) await grantRole(writes, created.tenant, auditContext, user_id);
    return { tenant: toWireTenant(created), is_new: true };
  });
}

/** Creates the error for a name that is the id of another tenant: an organization can be given by either. */
function tenantIdConflict(): CatalogError {
  return new CatalogError(
    'registry.invalid_argument',
    'The name is already the id of another tenant.',
    { details: { argument: 'name' }, suggested_action: 'Choose another name.' },
  );
}
