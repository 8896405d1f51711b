import { setTimeout } from 'node:timers/promises';
import type { AuditEntry } from '@catalog/contract/records/audit';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { readNumber } from '../read-number.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { auditTailDefinition } from './definition.ts';
import { readFirst, readRecords } from './read-records.ts';
import { renderRecords, renderRows } from './render-records.ts';

const DEFAULT_LIMIT = 20;
const POLL_MS = 2000;

type Input = CommandInput<typeof auditTailDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const limit = Math.max(1, readNumber('--limit', flags.limit) ?? DEFAULT_LIMIT);
  const client = loadRegistryServer(session, flags);
  const newest = await readFirst(client, { order: 'newest' }, limit, session.signal);
  const records = newest.records.toReversed();
  if (!flags.follow) return toResult(records);

  if (records.length > 0) session.emit(toResult(records));
  let last = records.at(-1)?.position;
  session.note('Waiting for new records. To stop, press Ctrl-C.');
  try {
    for (;;) {
      await setTimeout(POLL_MS, undefined, { signal: session.signal });
      const cursor = last === undefined ? undefined : String(last);
      for await (const page of readRecords(client, { order: 'oldest', cursor }, session.signal)) {
        if (page.length > 0) session.emit({ lines: renderRows(page), json: { records: page } });
        last = page.at(-1)?.position ?? last;
      }
    }
  } catch (error) {
    if (!session.signal.aborted) throw error;
  }
  return { lines: [], json: undefined };
}

function toResult(records: readonly AuditEntry[]): CommandResult {
  return {
    lines: records.length === 0 ? ['The audit log is empty.'] : renderRecords(records),
    json: { records },
  };
}
