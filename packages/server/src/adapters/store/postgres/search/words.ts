import type {
  IndexSearchResult,
  SearchedTerm,
  SearchQuery,
} from '@catalog/core/ports/search-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { scoreOf } from '@catalog/core/search/bm25';
import { FIRST_KIND, languageOf } from '@catalog/core/search/index-kind';
import { DEFAULT_LANGUAGE } from '@catalog/core/search/language';
import { queryWords, type QueryWord } from '@catalog/core/search/query-terms';
import { weighQueryOf } from '@catalog/core/search/weigh-query';
import type { Parameter } from '../../shared/parameter.ts';
import type { Queries } from '../../shared/queries.ts';
import type { Sql } from '../../shared/sql.ts';
import { countLowerBound, decideSources, MAX_READ, type Sources } from './sources.ts';
import { countHidden, MAX_CONTESTED } from './hidden.ts';
import {
  filterTerms,
  findFilters,
  listFilters,
  listKnownWords,
  numbersOf,
  readStatistics,
  type Filters,
  type KnownTerm,
  type TermStatistics,
} from './terms.ts';

const SEARCH_WORDS: Sql<WordsRow> = `SELECT layer, id, sum, matched
  FROM search_words($1::int[], $2::int[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[],
    $8::float8[], $9::int[], $10::int[], $11::boolean, $12::boolean, $13::int[], $14::text, $15::int)`;

interface WordsRow {
  layer: LayerNumber;
  id: string;
  sum: number;
  matched: number;
}

export interface WeighedWords {
  terms: readonly SearchedTerm[];
  words: readonly KnownTerm[];
  /** Rarities in the order of `words`. */
  rarities: readonly number[];
  bound: number;
  is_known: boolean;
  documents: number;
  filters: Filters | undefined;
}

export async function searchWords(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  query: SearchQuery,
): Promise<IndexSearchResult> {
  const weighed = await weighWords(queries, tenant, layers, query);
  const { terms, bound, is_known, filters } = weighed;
  if (filters === undefined || weighed.words.length === 0) {
    return { hits: [], terms, bound, is_known, total_matched: 0, total_estimated: false };
  }
  const sources = decideSources(weighed.words, filters, {
    documents: weighed.documents,
    layers: layers.length,
    most_whole: MAX_READ,
  });
  const rows = await queries.rows(
    SEARCH_WORDS,
    ...wordsParameters(layers, weighed, filters, sources, query.top_k),
  );
  return {
    hits: rows.map(({ layer, id, sum }) => ({ layer, id, score: scoreOf(sum) })),
    terms,
    bound,
    is_known,
    ...(await countMatches(
      (step) => step(queries),
      { tenant, layers },
      weighed,
      filters,
      sources,
      rows[0]?.matched ?? 0,
    )),
  };
}

/** Counts the matches. Returns a lower bound if the search did not read all postings. */
export async function countMatches(
  run: <Result>(step: (queries: Queries) => Promise<Result>) => Promise<Result>,
  { tenant, layers }: { tenant: Tenant; layers: LayerStack },
  { words, documents }: WeighedWords,
  filters: Filters,
  { complete }: Sources,
  found: number,
): Promise<Pick<IndexSearchResult, 'total_matched' | 'total_estimated'>> {
  if (complete) return { total_matched: found, total_estimated: false };
  const { contested, hidden } = await run((queries) => countHidden(queries, tenant, layers));
  const view = { documents, hidden: contested > MAX_CONTESTED ? documents : hidden };
  const least = countLowerBound(words, filters, view);
  return { total_matched: Math.max(found, least), total_estimated: true };
}

export async function weighWords(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  query: SearchQuery,
): Promise<WeighedWords> {
  const read = async (kinds: readonly string[]): Promise<[QueryWord[], TermStatistics]> => {
    const words = queryWords(query.query, kinds.map(languageOf));
    const wanted = [...words.flatMap(({ terms }) => terms), ...filterTerms(query)];
    return [words, await readStatistics(queries, tenant, layers, wanted)];
  };
  let [requestedWords, statistics] = await read([FIRST_KIND]);
  const { kinds } = statistics;
  if (kinds.length > 1 || kinds.some((kind) => languageOf(kind) !== DEFAULT_LANGUAGE))
    [requestedWords, statistics] = await read(kinds);
  const { documents } = statistics;
  const known = new Map(statistics.terms);
  const holdersOf = (term: string): number => known.get(term)?.holders ?? 0;
  const { terms, bound } = await weighQueryOf(
    requestedWords,
    { documents, holdersOf },
    async (words) => {
      const listed = await listKnownWords(queries, tenant, layers, words);
      for (const word of listed) known.set(word.term, word);
      return listed;
    },
  );
  const held = terms.flatMap(({ term, rarity }) => {
    const word = known.get(term);
    return word === undefined || word.holders === 0 ? [] : [{ word, rarity }];
  });
  return {
    terms,
    words: held.map(({ word }) => word),
    rarities: held.map(({ rarity }) => rarity),
    bound,
    is_known: held.length > 0,
    documents,
    filters: findFilters(statistics, query),
  };
}

export function wordsParameters(
  layers: LayerStack,
  { words, rarities }: Pick<WeighedWords, 'words' | 'rarities'>,
  filters: Filters,
  sources: Sources,
  top_k: number,
): Parameter[] {
  const { required, scope } = filters;
  const { by_filters } = sources;
  return [
    layers,
    numbersOf(words),
    rarities,
    numbersOf(sources.any_of),
    numbersOf(sources.listed),
    numbersOf(sources.best_of.map(({ word }) => word)),
    sources.best_of.map(({ best }) => best),
    sources.best_of.map(({ word }) => rarities[words.indexOf(word)] ?? 0),
    numbersOf(sources.together),
    by_filters ? numbersOf(listFilters(filters)) : [],
    by_filters && scope !== '',
    sources.in_view,
    numbersOf(required),
    scope,
    top_k,
  ];
}
