import type { ReadEntry } from '@catalog/contract/records/audit';
import { parseReference } from '@catalog/core/artifact/reference';
import type { RegistryClient } from '@catalog/sdk/client';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { formatTime } from '../../output/format-time.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { loadRegistryServer } from '../registry-server.ts';
import type { auditWhoDefinition } from './definition.ts';
import { readFilters } from './read-filters.ts';

const PAGE = 1000;

type Input = CommandInput<typeof auditWhoDefinition>;

/** Loads of one user. */
interface Reader {
  caller: string;
  versions: string[];
  layers: string[];
  first: string;
  last: string;
  /** Minutes with a load. */
  minutes: number;
}

export async function run(
  { flags, arguments: { artifact } }: Input,
  session: Session,
): Promise<CommandResult> {
  const { since = DEFAULT_SINCE, until } = flags;
  const { id, pin } = parseReference(artifact);
  if (pin.kind !== 'latest' && pin.kind !== 'exact') {
    throw usageError(
      `${artifact} names a range of versions.`,
      `Use \`${id}\` for all versions, or an exact version such as \`${id}@1.2.0\`.`,
      { argument: 'artifact' },
    );
  }
  const filters = readFilters({ since, until });
  const query = {
    artifact: id,
    type: 'artifact.loaded',
    version: pin.kind === 'exact' ? pin.text : undefined,
    since: filters.since,
    until: filters.until,
  };
  const client = loadRegistryServer(session, flags);
  const readers = await listReaders(client, query, session.signal);
  const json = { artifact: id, version: query.version, since: query.since, readers };
  if (readers.length > 0) return { lines: renderReaders(readers), json };
  return {
    lines: [
      `No loads of ${artifact} are recorded since ${formatTime(query.since)}.`,
      'The registry records loads if its setting `audit.reads` is `all`.',
    ],
    json,
  };
}

const DEFAULT_SINCE = '30d';

type ReadQuery = NonNullable<Parameters<RegistryClient['listReads']>[0]>;

async function listReaders(
  client: RegistryClient,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Reader[]> {
  const readers = new Map<string, Reader & { seen: Set<string> }>();
  let cursor: string | undefined;
  do {
    const page = await client.listReads({ ...query, limit: PAGE, cursor }, signal);
    for (const { record } of page.records) addRead(readers, record);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return [...readers.values()]
    .map(({ seen, ...reader }) => ({ ...reader, minutes: seen.size }))
    .toSorted((a, b) => (a.last < b.last ? 1 : -1));
}

function addRead(
  readers: Map<string, Reader & { seen: Set<string> }>,
  record: ReadEntry['record'],
): void {
  const { timestamp, version = '', layer = '' } = record;
  const caller = record['caller.identity'];
  let reader = readers.get(caller);
  if (reader === undefined) {
    const times = { first: timestamp, last: timestamp, minutes: 0 };
    reader = { caller, versions: [], layers: [], ...times, seen: new Set() };
    readers.set(caller, reader);
  }
  if (!reader.versions.includes(version)) reader.versions.push(version);
  if (!reader.layers.includes(layer)) reader.layers.push(layer);
  if (timestamp < reader.first) reader.first = timestamp;
  if (timestamp > reader.last) reader.last = timestamp;
  reader.seen.add(timestamp);
}

function renderReaders(readers: readonly Reader[]): Line[] {
  const titles = ['user', 'versions', 'layers', 'first', 'last', 'minutes'];
  return alignColumns([
    titles.map((title): Line => [styled('bold', title)]),
    ...readers.map(({ caller, versions, layers, first, last, minutes }) => [
      caller,
      versions.join(' '),
      layers.join(' '),
      formatTime(first),
      formatTime(last),
      String(minutes),
    ]),
  ]);
}
