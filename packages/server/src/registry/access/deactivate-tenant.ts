import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { changeTenant } from './change-tenant.ts';
import { loadTenant } from './load-tenant.ts';

/** Deactivates a tenant. Its data is kept and served again after reactivation. */
export async function deactivateTenant(
  registry: Registry,
  context: CallContext,
  { id }: { id: string },
): Promise<void> {
  const auditContext = callAuditContext(registry, context);
  await registry.store.transaction(async (writes) => {
    const stored = await loadTenant(writes.tenants, id);
    await changeTenant(writes, auditContext, stored, { active: false });
  });
}
