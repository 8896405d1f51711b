import type { GrantBody, GrantedAdmin } from '@catalog/contract/records/access';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';
import { grantRole } from './grant-role.ts';
import { requireAuditVolume } from './require-audit-volume.ts';

export async function grantAdmin(
  registry: Registry,
  context: CallContext,
  { user_id }: GrantBody,
): Promise<GrantedAdmin> {
  const { tenant } = context;
  const auditContext = callAuditContext(registry, context);
  await registry.store.transaction(async (writes) => {
    await requireAuditVolume(registry, writes.tenants, tenant);
    await grantRole(writes, tenant, auditContext, user_id);
  });
  return { user_id };
}
