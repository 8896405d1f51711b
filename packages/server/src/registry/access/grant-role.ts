import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import type { AuditContext } from '../audit-context.ts';

export async function grantRole(
  writes: StoreWrites,
  tenant: Tenant,
  auditContext: AuditContext,
  user_id: string,
): Promise<void> {
  const record = buildAuditRecord(auditContext, 'admin.granted', { action: 'grant', user_id });
  const is_new = await writes.grants.grant(tenant, {
    user_id,
    granted_at: record.timestamp,
    granted_by: record['caller.identity'],
  });
  if (is_new) await writes.audit.append(tenant, [record]);
}
