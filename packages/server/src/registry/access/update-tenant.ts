import type { TenantAnswer, UpdateTenantBody } from '@catalog/contract/records/access';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { changeTenant } from './change-tenant.ts';
import { loadTenant } from './load-tenant.ts';
import { toWireTenant } from './to-wire-tenant.ts';

/** Updates a tenant with the given fields (SPEC-34). */
export async function updateTenant(
  registry: Registry,
  context: CallContext,
  { id, patch }: { id: string; patch: UpdateTenantBody },
): Promise<TenantAnswer> {
  const auditContext = callAuditContext(registry, context);
  return registry.store.transaction(async (writes) => {
    const stored = await loadTenant(writes.tenants, id);
    return toWireTenant(await changeTenant(writes, auditContext, stored, patch));
  });
}
