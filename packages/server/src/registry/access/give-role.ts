import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import type { Occasion } from '../occasion.ts';

export async function giveRole(
  writes: StoreWrites,
  tenant: Tenant,
  occasion: Occasion,
  user_id: string,
): Promise<void> {
  const record = buildAuditRecord(occasion, 'admin.granted', { action: 'grant', user_id });
  const is_new = await writes.grants.grant(tenant, {
    user_id,
    granted_at: record.timestamp,
    granted_by: record['caller.identity'],
  });
  if (is_new) await writes.audit.append(tenant, [record]);
}
