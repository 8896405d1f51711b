import type { CommandInput } from '../../command/definition.ts';
import type { CommandResult, Session } from '../../command/session.ts';
import { alignColumns, styled, type Line } from '../../output/text.ts';
import { loadDiscovery } from '../load-discovery.ts';
import { explainResult } from '../search/explain-result.ts';
import type { whySearchDefinition } from './definition.ts';
import { placeInSearch, type SearchPlace, type Verdict } from './place-in-search.ts';

type Input = CommandInput<typeof whySearchDefinition>;

export async function run(input: Input, session: Session): Promise<CommandResult> {
  const { artifact: id, words } = input.arguments;
  const discovery = await loadDiscovery(session, input.flags);
  const place = await placeInSearch(discovery, { id, query: words.join(' ') }, session.signal);
  return { lines: toLines(place), json: place, exit: place.verdict === 'found' ? 0 : 1 };
}

/** What stands above is shown as far as a person compares. */
const MOST_ABOVE = 5;

function toLines(place: SearchPlace): Line[] {
  const { id, verdict, result, degraded } = place;
  return [
    [styled('bold', id), `: ${HEADS[verdict](place)}`],
    ...(result === null ? [] : [`  ${explainResult(result)}`]),
    ...(degraded ? ['  by words only: the search by meaning did not answer'] : []),
    ...layerLines(place),
    ...aboveLines(place),
    '',
    `Next: ${NEXT[verdict](place)}`,
  ];
}

const HEADS: Readonly<Record<Verdict, (place: SearchPlace) => string>> = {
  found: ({ rank, total_matched, query }) =>
    `result ${rank ?? 0} of ${total_matched} for "${query}"`,
  outranked: ({ above, total_matched, query }) =>
    `not shown for "${query}": it matches, and more than ${above.length} of ${total_matched} stand above it`,
  unrelated: ({ query, degraded }) =>
    `not found for "${query}": it has none of the words${degraded ? '' : ', and means something else'}`,
  'not-embedded': ({ query }) =>
    `not found for "${query}": it has none of the words, and has no vector yet`,
  deprecated: () => 'not found by any search: it is deprecated',
  'direct-only': () => 'not found by any search: it asks to be found by its id alone',
  absent: () => 'there is no such artifact that you can see',
};

const DESCRIBE = 'say in its description, or in `when_to_use`, what people ask for';

const NEXT: Readonly<Record<Verdict, (place: SearchPlace) => string>> = {
  found: ({ id, rank }) =>
    rank === 1 ? `\`catalog show ${id}\` shows it.` : `to bring it up, ${DESCRIBE}.`,
  outranked: () => `narrow the search with --type, --tag or --scope, or ${DESCRIBE}.`,
  unrelated: () => `${DESCRIBE}; \`catalog test\` keeps it found.`,
  'not-embedded': () =>
    'wait a moment and ask again; if it stays so, `catalog admin reembed --only-missing` says why.',
  deprecated: ({ id }) => `\`catalog show ${id}\` says what replaces it.`,
  'direct-only': ({ id }) =>
    `\`catalog show ${id}\` shows it; without \`search_visibility: direct-only\` it would be found.`,
  absent: () =>
    '`catalog search` lists what there is; `catalog whoami` says who you are to the registry.',
};

/** Only the version of the highest layer is searched; what lower ones say finds nothing. */
function layerLines({ layers }: SearchPlace): Line[] {
  const [winner, ...hidden] = layers;
  if (winner === undefined || hidden.length === 0) return [];
  return [`  that of layer ${winner} is searched; it stands over that of ${hidden.join(', ')}`];
}

function aboveLines({ above, verdict }: SearchPlace): Line[] {
  if (above.length === 0 || (verdict !== 'found' && verdict !== 'outranked')) return [];
  const rows = above
    .slice(0, MOST_ABOVE)
    .map((result): Line[] => [[styled('bold', result.id)], explainResult(result)]);
  const more = above.length - rows.length;
  return ['', 'Above it', ...alignColumns(rows, '  '), ...(more > 0 ? [`  and ${more} more`] : [])];
}
