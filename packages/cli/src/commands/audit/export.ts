import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { auditExportDefinition } from './definition.ts';
import { readFilters } from './read-filters.ts';
import { readRecords } from './read-records.ts';

type Input = CommandInput<typeof auditExportDefinition>;

export async function run({ flags }: Input, session: Session): Promise<CommandResult> {
  const query = { ...readFilters(flags), order: 'oldest' } as const;
  const client = loadRegistryServer(session, flags);
  for await (const page of readRecords(client, query, session.signal)) {
    for (const entry of page) session.emit({ lines: `${JSON.stringify(entry)}\n`, json: entry });
  }
  return { lines: [], json: undefined };
}
