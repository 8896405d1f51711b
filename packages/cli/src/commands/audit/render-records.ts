import type { AuditEntry } from '@catalog/contract/records/audit';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';

/** Members with their own column, and members only for programs. */
const OWN_COLUMN: ReadonlySet<string> = new Set([
  'type',
  'timestamp',
  'trace_id',
  'caller.identity',
  'caller.kind',
  'caller.public_mode',
  'caller.groups',
]);

export function renderRecords(records: readonly AuditEntry[]): Line[] {
  const titles = ['time', 'type', 'caller', 'details'];
  return alignColumns([
    titles.map((title): Line => [styled('bold', title)]),
    ...records.map(toRow),
  ]);
}

export function renderRows(records: readonly AuditEntry[]): Line[] {
  return alignColumns(records.map(toRow));
}

function toRow({ record }: AuditEntry): Line[] {
  return [
    formatTime(record.timestamp),
    record.type,
    record['caller.identity'],
    describeFacts(record),
  ];
}

/**
 * Formats other members of a record, such as `layer: ops, action: update, fields: ref root`; a dash if there are none.
 */
function describeFacts(record: AuditEntry['record']): string {
  const facts = Object.entries(record)
    .filter(([name]) => !OWN_COLUMN.has(name))
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : String(value)}`)
    .join(', ');
  return facts === '' ? '-' : facts;
}
