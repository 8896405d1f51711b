import { MAX_AUDIT_PAGE } from '@catalog/contract/limits';
import type { ReadEntry, ReadPage } from '@catalog/contract/records/audit';
import type { NumberedRead } from '@catalog/core/ports/read-log';
import type { CallContext, Registry } from '../registry.ts';
import { CLOCK_SLACK_MS, readPosition } from './list-audit.ts';

export interface ReadQuery {
  artifact: string;
  version?: string | undefined;
  caller: string;
  type?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Reads at most `MAX_AUDIT_PAGE` records, for any length of the log and any number of matches. */
export async function listReads(
  { store }: Registry,
  { tenant }: CallContext,
  query: ReadQuery,
): Promise<ReadPage> {
  const { artifact, caller, limit, since } = query;
  const before = query.cursor === undefined ? undefined : readPosition(query.cursor);
  const filter = { artifact, subject: caller };
  const scanned = await store.read_log.listNewest(tenant, filter, before, MAX_AUDIT_PAGE);
  const records: ReadEntry[] = [];
  let last: number | undefined;
  for (const read of scanned) {
    if (records.length === limit) break;
    last = read.position;
    if (isMatch(read, query)) records.push(toEntry(read));
  }
  const isLastPage = scanned.length < MAX_AUDIT_PAGE && last === scanned.at(-1)?.position;
  const isBeyond =
    since !== undefined &&
    scanned.length > 0 &&
    scanned.every(({ minute }) => Date.parse(minute) < Date.parse(since) - CLOCK_SLACK_MS);
  const isEnd = last === undefined || isLastPage || isBeyond;
  return { records, ...(isEnd ? {} : { next_cursor: String(last) }) };
}

const MINUTE_MS = 60_000;

/** A read has the time of its minute, so the minute of `since` counts. */
function isMatch(read: NumberedRead, { version, type, since, until }: ReadQuery): boolean {
  const time = Date.parse(read.minute);
  return (
    (version === undefined || read.version === version) &&
    (type === undefined || type.split(',').includes(read.type)) &&
    (since === undefined || time > Date.parse(since) - MINUTE_MS) &&
    (until === undefined || time < Date.parse(until))
  );
}

function toEntry({ position, ...read }: NumberedRead): ReadEntry {
  const { type, minute, subject, caller_kind, commitment, detail } = read;
  const { artifact, version, layer, name, tags } = read;
  return {
    position,
    record: {
      type,
      timestamp: minute,
      'caller.identity': subject,
      'caller.kind': caller_kind,
      commitment,
      ...(type === 'artifact.loaded' ? { artifact, version, layer, name, tags: [...tags] } : {}),
      ...(type === 'catalog.searched' ? { query: detail } : {}),
      ...(type === 'request.refused' ? { operation: detail } : {}),
    },
  };
}
