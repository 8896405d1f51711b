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

const MAX_HIGHER_RANKED = 5;

function toLines(place: SearchPlace): Line[] {
  const { id, verdict, result, degraded } = place;
  return [
    [styled('bold', id), `: ${HEADS[verdict](place)}`],
    ...(result === null ? [] : [`  ${explainResult(result)}`]),
    ...(degraded ? ['  by words only: semantic search is unavailable'] : []),
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
    `not shown for "${query}": it matches, but more than ${above.length} of ${total_matched} results rank higher`,
  unrelated: ({ query, degraded, words_only }) =>
    `not found for "${query}": no words match${degraded || words_only ? '' : ', and the meaning differs'}`,
  'not-embedded': ({ query }) =>
    `not found for "${query}": no words match, and the embedding is pending`,
  deprecated: () => 'never found: the artifact is deprecated',
  'direct-only': () => 'never found: `search_visibility` is direct-only',
  absent: () => 'no such artifact, or you cannot read it',
};

const DESCRIBE = 'add these words to its description or `when_to_use`';

const NEXT: Readonly<Record<Verdict, (place: SearchPlace) => string>> = {
  found: ({ id, rank }) =>
    rank === 1 ? `to show it, run \`catalog show ${id}\`.` : `to rank it higher, ${DESCRIBE}.`,
  outranked: () => `narrow the search with --type, --tag or --scope, or ${DESCRIBE}.`,
  unrelated: () => `${DESCRIBE}, and add a trigger test for \`catalog test\`.`,
  'not-embedded': () =>
    'try again in a moment. If this persists, run `catalog admin reembed --only-missing` for the reason.',
  deprecated: ({ id }) => `to see what replaces it, run \`catalog show ${id}\`.`,
  'direct-only': ({ id }) =>
    `to make it searchable, remove \`search_visibility: direct-only\`. To show it, run \`catalog show ${id}\`.`,
  absent: () =>
    'list all artifacts with `catalog search`, and check your identity with `catalog whoami`.',
};

/** Renders the layers. Only the version in the highest one can be found. */
function layerLines({ layers }: SearchPlace): Line[] {
  const [winner, ...hidden] = layers;
  if (winner === undefined || hidden.length === 0) return [];
  return [`  search uses layer ${winner}, which overrides ${hidden.join(', ')}`];
}

function aboveLines({ above, verdict }: SearchPlace): Line[] {
  if (above.length === 0 || (verdict !== 'found' && verdict !== 'outranked')) return [];
  const rows = above
    .slice(0, MAX_HIGHER_RANKED)
    .map((result): Line[] => [[styled('bold', result.id)], explainResult(result)]);
  const more = above.length - rows.length;
  return [
    '',
    'Results above',
    ...alignColumns(rows, '  '),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
