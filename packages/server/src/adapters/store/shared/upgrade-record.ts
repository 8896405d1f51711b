import type { AuditRecord } from '@catalog/core/ports/audit';

/** First record of a tree after an upgrade; the tree adds what it commits to. */
export function upgradeRecord(at: Date, trace_id: string): AuditRecord {
  return {
    type: 'audit.opened',
    timestamp: at.toISOString(),
    trace_id,
    'caller.public_mode': false,
    'caller.kind': 'system',
    'caller.identity': 'system:migrate',
    cause: 'upgrade',
  };
}
