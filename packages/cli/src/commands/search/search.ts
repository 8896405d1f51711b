import { loadConfig } from '@catalog/consumer/config/load-config';
import { openDiscovery } from '@catalog/consumer/discover/open-discovery';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { alignColumns, count, styled, type Line } from '../../output/text.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { signInOnFirstUse } from '../identity/first-use.ts';
import { readNumber } from '../read-number.ts';
import type { searchDefinition } from './definition.ts';

type Input = CommandInput<typeof searchDefinition>;

export async function run(
  { flags, arguments: { words } }: Input,
  session: Session,
): Promise<CommandResult> {
  const [type, ...others] = flags.type ?? [];
  if (others.length > 0) {
    throw usageError('A search takes one --type.', 'Search once for each type.', {
      command: 'search',
      argument: '--type',
    });
  }
  const top_k = readNumber('--top-k', flags['top-k']);
  const { registry } = flags;
  const config = loadConfig(toConfigInput(session, toConfigFlags({ registry })));
  const discovery = await openDiscovery(config, { signIn: signInOnFirstUse(config, session) });
  const found = await discovery.searchArtifacts(
    {
      query: words.join(' '),
      ...(type === undefined ? {} : { type }),
      ...(flags.tag === undefined ? {} : { tags: flags.tag }),
      ...(flags.scope === undefined ? {} : { scope: flags.scope }),
      ...(top_k === undefined ? {} : { top_k }),
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
  return [
    headLine(found),
    '',
    ...alignColumns(rows),
    '',
    `Next: \`catalog show ${results[0]?.id ?? ''}\` shows the first.`,
  ];
}

function headLine({
  query,
  results,
  total_matched,
  total_estimated,
  degraded,
}: SearchResponse): string {
  const about = total_estimated === true ? 'about ' : '';
  const what = query === '' ? '' : ` for "${query}"`;
  const arm = degraded === true ? ' (by words only: the search by meaning did not answer)' : '';
  return `${results.length} of ${about}${count(total_matched, 'artifact')}${what}${arm}`;
}

function emptyLines({ query }: SearchResponse): Line[] {
  if (query === '') {
    return [
      'No artifact is selected. `catalog search` without flags lists everything there is; `catalog layer list` shows where it comes from.',
    ];
  }
  return [
    `Nothing was found for "${query}".`,
    'Try fewer or other words; `catalog domain list` shows what there is.',
  ];
}
