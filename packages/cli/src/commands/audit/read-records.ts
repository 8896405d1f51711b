import type { AuditEntry } from '@catalog/contract/records/audit';
import type { RegistryClient } from '@catalog/sdk/client';

const PAGE = 1000;

type AuditQuery = NonNullable<Parameters<RegistryClient['listAudit']>[0]>;

/** Yields records, one page at a time. A page can be empty. */
export async function* readRecords(
  client: RegistryClient,
  query: AuditQuery,
  signal: AbortSignal,
): AsyncGenerator<AuditEntry[]> {
  let { cursor } = query;
  do {
    const page = await client.listAudit({ limit: PAGE, ...query, cursor }, signal);
    yield page.records;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

export async function readFirst(
  client: RegistryClient,
  query: AuditQuery,
  limit: number,
  signal: AbortSignal,
): Promise<{ records: AuditEntry[]; has_more: boolean }> {
  const records: AuditEntry[] = [];
  for await (const page of readRecords(client, query, signal)) {
    records.push(...page);
    if (records.length > limit) break;
  }
  return { records: records.slice(0, limit), has_more: records.length > limit };
}
