import type { AuditRecord } from '@catalog/core/ports/audit';
import type { StoreNotice } from '@catalog/core/ports/availability';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { systemAuditContext } from '../audit-context.ts';
import type { Registry } from '../registry.ts';
import { buildAuditRecord } from './build-record.ts';

/**
 * Audits changes of the store. The start of read-only mode is recorded at its end, because the audit log is in the same
 * store (SPEC-35).
 */
export async function recordStoreNotices(
  registry: Registry,
  process_name: string,
  notices: readonly StoreNotice[],
): Promise<void> {
  const auditContext = systemAuditContext(registry, 'store');
  const records = notices.map((notice): AuditRecord => {
    const { kind, at, ...facts } = notice;
    return buildAuditRecord({ ...auditContext, now: at }, `registry.${kind}`, {
      ...facts,
      process: process_name,
    });
  });
  await registry.store.transaction(({ audit }) => audit.append(ONLY_TENANT, records));
}
