import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { readNumber } from '../read-number.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { auditSearchDefinition } from './definition.ts';
import { readFilters } from './read-filters.ts';
import { readFirst } from './read-records.ts';
import { renderRecords } from './render-records.ts';

const DEFAULT_LIMIT = 50;

type Input = CommandInput<typeof auditSearchDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const limit = Math.max(1, readNumber('--limit', flags.limit) ?? DEFAULT_LIMIT);
  const query = { ...readFilters(flags), order: 'newest' } as const;
  const client = loadRegistryServer(session, flags);
  const json = await readFirst(client, query, limit, session.signal);
  if (json.records.length === 0) {
    return { lines: ['No records match. To see the newest, run `catalog audit tail`.'], json };
  }
  const more = json.has_more ? [`and more; to list them, add --limit ${limit * 5}`] : [];
  return { lines: [...renderRecords(json.records), ...more], json };
}
