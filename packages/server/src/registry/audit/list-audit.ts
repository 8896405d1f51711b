import { MAX_AUDIT_PAGE } from '@catalog/contract/limits';
import type { AuditEntry, AuditPage } from '@catalog/contract/records/audit';
import type { AuditRecord } from '@catalog/core/ports/audit';
import { invalidCursor } from '../discover/invalid-cursor.ts';
import type { CallContext, Registry } from '../registry.ts';

export interface AuditQuery {
  type?: string | undefined;
  caller?: string | undefined;
  layer?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  order: 'newest' | 'oldest';
  limit: number;
  cursor?: string | undefined;
}

/** Lists audit records. Reads at most `MAX_AUDIT_PAGE` of them, regardless of the length of the log. */
export async function listAudit(
  { store }: Registry,
  { tenant }: CallContext,
  query: AuditQuery,
): Promise<AuditPage> {
  const { order, limit } = query;
  const cursor = query.cursor === undefined ? undefined : readPosition(query.cursor);
  const scanned =
    order === 'newest'
      ? await store.audit.listNewest(tenant, cursor, MAX_AUDIT_PAGE)
      : await store.audit.list(tenant, cursor ?? 0, MAX_AUDIT_PAGE);
  const records: AuditEntry[] = [];
  let last: number | undefined;
  for (const entry of scanned) {
    if (records.length === limit) break;
    last = entry.position;
    if (isMatch(entry.record, query)) records.push(entry);
  }
  const isEnd =
    last === undefined ||
    (scanned.length < MAX_AUDIT_PAGE && last === scanned.at(-1)?.position) ||
    isBeyond(
      scanned.map(({ record }) => record),
      query,
    );
  return { records, ...(isEnd ? {} : { next_cursor: String(last) }) };
}

function isMatch(record: AuditRecord, { type, caller, layer, since, until }: AuditQuery): boolean {
  const time = Date.parse(record.timestamp);
  return (
    (type === undefined || type.split(',').includes(record.type)) &&
    (caller === undefined || record['caller.identity'] === caller) &&
    (layer === undefined || listLayers(record).includes(layer)) &&
    (since === undefined || time >= Date.parse(since)) &&
    (until === undefined || time < Date.parse(until))
  );
}

function listLayers(record: AuditRecord): string[] {
  const layer =
    record['layer'] ?? (record.type === 'layer.ingested' ? record['target'] : undefined);
  return typeof layer === 'string' ? layer.split(',') : [];
}

/** Maximum difference between the order of the log and the order of its times, which are set before the transaction. */
export const CLOCK_SLACK_MS = 60 * 60_000;

function isBeyond(records: readonly AuditRecord[], { order, since, until }: AuditQuery): boolean {
  const bound = order === 'newest' ? since : until;
  if (bound === undefined || records.length < MAX_AUDIT_PAGE) return false;
  const limit = Date.parse(bound);
  return records.every(({ timestamp }) => {
    const time = Date.parse(timestamp);
    return order === 'newest' ? time < limit - CLOCK_SLACK_MS : time >= limit + CLOCK_SLACK_MS;
  });
}

/** Reads the position in a cursor. */
export function readPosition(cursor: string): number {
  const position = Number(cursor);
  if (!/^\d{1,15}$/.test(cursor) || position < 1) throw invalidCursor();
  return position;
}
