import type { SearchResponse, SearchResult } from '@catalog/contract/records/discovery';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { loadDiscovery } from '../load-discovery.ts';
import { readNumber } from '../read-number.ts';
import type { searchDefinition } from './definition.ts';
import { explainResult } from './explain-result.ts';

type Input = CommandInput<typeof searchDefinition>;

export async function run(
  { flags, arguments: { words } }: Input,
  session: Session,
): Promise<CommandResult> {
  const [type, ...others] = flags.type ?? [];
  if (others.length > 0) {
    throw usageError('--type was given more than once.', 'Run one search per type.', {
      command: 'search',
      argument: '--type',
    });
  }
  const top_k = readNumber('--top-k', flags['top-k']);
  const { registry } = flags;
  const discovery = await loadDiscovery(session, { registry });
  const found = await discovery.searchArtifacts(
    {
      query: words.join(' '),
      ...(type === undefined ? {} : { type }),
      ...(flags.tag === undefined ? {} : { tags: flags.tag }),
      ...(flags.scope === undefined ? {} : { scope: flags.scope }),
      ...(top_k === undefined ? {} : { top_k }),
      ...(flags.explain ? { explain: true } : {}),
    },
    session.signal,
  );
  return { lines: toLines(found), json: found };
}

function toLines(found: SearchResponse): Line[] {
  const { results } = found;
  if (results.length === 0) return emptyLines(found);
  const rows = results.map(({ id, type, version, description }): Line[] => [
    [styled('bold', id)],
    type,
    version,
    description,
  ]);
  const reasons = results.map((result) => reasonLines(result, found));
  return [
    headLine(found),
    '',
    ...alignColumns(rows).flatMap((row, index) => [row, ...(reasons[index] ?? [])]),
    '',
    `Next: to show the first result, run \`catalog show ${results[0]?.id ?? ''}\`.`,
  ];
}

/** Explains a result. Without a query there is no score: the results are all artifacts by id. */
function reasonLines(result: SearchResult, { query }: SearchResponse): Line[] {
  if (result.explanation === undefined || query === '') return [];
  return [['  ', styled('dim', explainResult(result))]];
}

function headLine({
  query,
  results,
  total_matched,
  total_estimated,
  degraded,
}: SearchResponse): string {
  const at_least = total_estimated === true ? 'at least ' : '';
  const what = query === '' ? '' : ` for "${query}"`;
  const arm = degraded === true ? ' (by words only: semantic search is unavailable)' : '';
  return `${results.length} of ${at_least}${count(total_matched, 'artifact')}${what}${arm}`;
}

function emptyLines({ query, degraded }: SearchResponse): Line[] {
  if (query === '') {
    return [
      'No artifacts match. To list all artifacts, run `catalog search` without flags; to list layers, run `catalog layer list`.',
    ];
  }
  const arm = degraded === true ? ' by words; semantic search is unavailable' : '';
  return [
    `No artifacts found for "${query}"${arm}.`,
    'Try fewer or different words, or browse with `catalog domain list`. To find out why an artifact is missing, run `catalog why search <id> "<words>"`.',
  ];
}
