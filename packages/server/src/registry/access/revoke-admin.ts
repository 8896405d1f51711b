import { buildAuditRecord } from '../audit/build-record.ts';
import { callAuditContext } from '../audit-context.ts';
import type { CallContext, Registry } from '../registry.ts';

export async function revokeAdmin(
  registry: Registry,
  context: CallContext,
  { user_id }: { user_id: string },
): Promise<void> {
  const { tenant } = context;
  const record = buildAuditRecord(callAuditContext(registry, context), 'admin.granted', {
    action: 'revoke',
    user_id,
  });
  await registry.store.transaction(async (writes) => {
    const was_held = await writes.grants.revoke(tenant, user_id);
    if (was_held) await writes.audit.append(tenant, [record]);
  });
}
