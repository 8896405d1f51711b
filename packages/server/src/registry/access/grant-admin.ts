import type { GrantBody, GrantedAdmin } from '@catalog/contract/records/access';
import { occasionOfCall } from '../occasion.ts';
import type { CallContext, Registry } from '../registry.ts';
import { giveRole } from './give-role.ts';
import { requireAuditVolume } from './require-audit-volume.ts';

export async function grantAdmin(
  registry: Registry,
  context: CallContext,
  { user_id }: GrantBody,
): Promise<GrantedAdmin> {
  const { tenant } = context;
  const occasion = occasionOfCall(registry, context);
  await registry.store.transaction(async (writes) => {
    await requireAuditVolume(registry, writes.tenants, tenant);
    await giveRole(writes, tenant, occasion, user_id);
  });
  return { user_id };
}
