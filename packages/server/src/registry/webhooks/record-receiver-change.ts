import type { Receiver } from '@catalog/core/ports/receivers';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import { buildAuditRecord } from '../audit/build-record.ts';
import type { AuditContext } from '../audit-context.ts';

type ReceiverChange = 'create' | 'update' | 'delete' | 'disable' | 'recover';

/** Records a change of a receiver, without path and query of its URL, which may contain a secret. */
export async function recordReceiverChange(
  writes: StoreWrites,
  tenant: Tenant,
  auditContext: AuditContext,
  action: ReceiverChange,
  { id, url, disabled_by }: Receiver,
): Promise<void> {
  await writes.audit.append(tenant, [
    buildAuditRecord(auditContext, 'webhook.receiver_changed', {
      action,
      receiver: id,
      host: URL.parse(url)?.host ?? '',
      disabled: disabled_by !== null,
    }),
  ]);
}
