import type { SearchAnswer, SearchQuery } from '@catalog/core/ports/search-index';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { boundOf, rarityOf, scoreOf } from '@catalog/core/search/bm25';
import type { Parameter, Queries } from './queries.ts';
import { decideSources, estimateMatches, type Sources } from './search-sources.ts';
import {
  filterTerms,
  findFilters,
  listFilters,
  numbersOf,
  readStatistics,
  type Filters,
  type KnownTerm,
} from './search-terms.ts';

/** The one statement that finds: candidates, view, filters, scores and order are made in the engine. */
const SEARCH_WORDS = `SELECT layer, id, sum, matched
  FROM search_words($1::int[], $2::int[], $3::bigint[], $4::int[], $5::int[], $6::int[], $7::int[],
    $8::float8[], $9::int[], $10::int[], $11::boolean, $12::boolean, $13::int[], $14::text, $15::int)`;

interface WordsRow {
  layer: number;
  id: string;
  sum: number;
  matched: number;
}

/** A query's words with what they weigh in a view. */
interface WeighedWords {
  words: readonly KnownTerm[];
  /** Of `words`. */
  rarities: readonly number[];
  bound: number;
  documents: number;
  filters: Filters | undefined;
}

/** Ranks by the words of a query. */
export async function searchWords(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  words: readonly string[],
  query: SearchQuery,
): Promise<SearchAnswer> {
  const weighed = await weighWords(queries, tenant, layers, words, query);
  const { bound, filters } = weighed;
  if (filters === undefined || weighed.words.length === 0) {
    return { hits: [], bound, total_matched: 0, total_estimated: false };
  }
  const sources = decideSources(weighed.words, filters, {
    documents: weighed.documents,
    layers: layers.length,
  });
  const rows = await queries.rows<WordsRow>(
    SEARCH_WORDS,
    ...wordsParameters(layers, weighed, filters, sources, query.top_k),
  );
  const found = rows[0]?.matched ?? 0;
  return {
    hits: rows.map(({ layer, id, sum }) => ({ layer, id, score: scoreOf(sum) })),
    bound,
    total_matched: sources.complete
      ? found
      : Math.max(found, estimateMatches(weighed.words, filters, weighed.documents)),
    total_estimated: !sources.complete,
  };
}

async function weighWords(
  queries: Queries,
  tenant: Tenant,
  layers: LayerStack,
  asked: readonly string[],
  query: SearchQuery,
): Promise<WeighedWords> {
  const terms = [...asked, ...filterTerms(query)];
  const statistics = await readStatistics(queries, tenant, layers, terms);
  const { documents } = statistics;
  const weighed = asked.map((term) => {
    const word = statistics.terms.get(term);
    return { word, rarity: rarityOf(documents, word?.holders ?? 0) };
  });
  const known = weighed.filter(({ word }) => word !== undefined && word.holders > 0);
  return {
    words: known.flatMap(({ word }) => word ?? []),
    rarities: known.map(({ rarity }) => rarity),
    bound: boundOf(weighed.map(({ rarity }) => rarity)),
    documents,
    filters: findFilters(statistics, query),
  };
}

function wordsParameters(
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
