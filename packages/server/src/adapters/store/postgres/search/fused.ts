import type { FusedSearchResult, FusedHit, FusedQuery } from '@catalog/core/ports/vector-index';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { LayerStack } from '@catalog/core/ports/versions';
import { scoreOf, sumOf } from '@catalog/core/search/bm25';
import { fuse, minLexicalScore, lexicalUnitWeight } from '@catalog/core/search/fuse';
import { MAX_CANDIDATES, INITIAL_CANDIDATES } from '@catalog/core/search/hybrid-search';
import { byPrecedence } from '@catalog/core/search/precedence';
import type { Sql } from '../../shared/sql.ts';
import { halfvec } from '../vectors/halfvec.ts';
import type { Queries, Run } from '../../shared/queries.ts';
import { decideSources, selectVectorMethod, type Sources } from './sources.ts';
import { listFilters, numbersOf, type Filters } from './terms.ts';
import { countMatches, wordsParameters, type WeighedWords } from './words.ts';

/** From this number of words on, comparing more documents at once is cheaper than a second query. */
const MANY_WORDS = 3;
/** In a view up to this size, all matches are compared: the index of words contains no similarity. */
const MAX_COMPLETE_VIEW = 20_000;
/** Relative rounding error of the sums that order candidates. */
const ROUNDING = 1e-5;

const FIND_BY_WORDS: Sql<WordsRow> = `SELECT layer, id, sum, similarity, matched, last_sum
  FROM find_by_words($1::int, $2::halfvec, $3::float8, $4::int, $5::float8, $6::int[], $7::int[],
    $8::bigint[], $9::int[], $10::int[], $11::int[], $12::int[], $13::float8[], $14::int[], $15::int[],
    $16::boolean, $17::boolean, $18::int[], $19::text, $20::int)`;
const FIND_BY_MEANING: Sql<MeaningRow> = `SELECT layer, id, sum, similarity, alone, farthest
  FROM find_by_meaning($1::int, $2::halfvec, $3::float8, $4::text, $5::int, $6::float8, $7::int[],
    $8::int[], $9::bigint[], $10::int[], $11::boolean, $12::int[], $13::text, $14::int)`;

interface FoundRow {
  layer: LayerNumber;
  id: string;
  sum: number;
  similarity: number | null;
}

interface WordsRow extends FoundRow {
  matched: number;
  last_sum: number;
}

interface MeaningRow extends FoundRow {
  alone: number;
  farthest: number;
}

interface Compared {
  /** Number of documents to read in order of their word score. */
  width: number;
  /** Minimum word score of the documents to read. */
  least: number;
}

export interface FusedSearch {
  tenant: Tenant;
  layers: LayerStack;
  model: number;
  most_compared: number;
  query: FusedQuery;
  weighed: WeighedWords;
}

/**
 * Runs the word search and the vector search concurrently on two connections. Each returns both scores of its results.
 */
export async function searchFused(run: Run, search: FusedSearch): Promise<FusedSearchResult> {
  const { tenant, layers, query, weighed } = search;
  const { terms, bound, is_known, words, documents, filters } = weighed;
  if (filters === undefined) {
    return { hits: [], terms, bound, is_known, total_matched: 0, total_estimated: false };
  }
  const sources = decideSources(words, filters, {
    documents,
    layers: layers.length,
    most_whole: MAX_COMPLETE_VIEW,
  });
  const width = Math.max(
    words.length < MANY_WORDS ? INITIAL_CANDIDATES : MAX_CANDIDATES,
    query.top_k,
  );
  const findByWords = (compared: Compared): Promise<WordsRow[]> =>
    run(tenant, (queries) => searchByWords(queries, search, filters, sources, compared));
  const [near, first] = await Promise.all([
    run(tenant, (queries) => searchByVector(queries, search, filters)),
    words.length === 0 ? [] : findByWords({ width, least: 0 }),
  ]);
  // If the vector search found nothing, all documents are below the similarity floor.
  const farthest = Math.max(0, near[0]?.farthest ?? query.floor);
  let hits = rankBoth(search, near, first);
  const least = minMissedSum(search, hits, first, { width, farthest });
  // If candidates were already left out, a wider search would also be incomplete.
  const maxWidth = sources.complete ? MAX_COMPLETE_VIEW : MAX_CANDIDATES;
  if (least !== undefined && width < maxWidth) {
    hits = rankBoth(search, near, first, await findByWords({ width: maxWidth, least }));
  }
  const by_words = await countMatches(
    (step) => run(tenant, step),
    { tenant, layers },
    weighed,
    filters,
    sources,
    first[0]?.matched ?? 0,
  );
  return {
    hits,
    terms,
    bound,
    is_known,
    total_matched: by_words.total_matched + (near[0]?.alone ?? 0),
    total_estimated: by_words.total_estimated || isNearCut(search, near),
  };
}

function searchByWords(
  queries: Queries,
  { layers, model, query, weighed }: FusedSearch,
  filters: Filters,
  sources: Sources,
  { width, least }: Compared,
): Promise<WordsRow[]> {
  return queries.rows(
    FIND_BY_WORDS,
    model,
    halfvec(query.asked.vector),
    scoreOf(lexicalUnitWeight(weighed.bound)),
    width,
    least,
    ...wordsParameters(layers, weighed, filters, sources, query.top_k),
  );
}

function searchByVector(
  queries: Queries,
  { layers, model, most_compared, query, weighed }: FusedSearch,
  filters: Filters,
): Promise<MeaningRow[]> {
  return queries.rows(
    FIND_BY_MEANING,
    model,
    halfvec(query.asked.vector),
    scoreOf(lexicalUnitWeight(weighed.bound)),
    selectVectorMethod(filters, weighed.documents, most_compared),
    query.most_near,
    query.floor,
    layers,
    numbersOf(weighed.words),
    weighed.rarities,
    numbersOf(listFilters(filters)),
    filters.scope !== '',
    numbersOf(filters.required),
    filters.scope,
    query.top_k,
  );
}

/**
 * Returns true if documents without a query word may have been left out of the vector search although they are similar
 * enough.
 */
function isNearCut({ query }: FusedSearch, [found]: readonly MeaningRow[]): boolean {
  return found !== undefined && found.farthest !== 0 && found.farthest >= query.floor;
}

function rankBoth(
  { layers, query, weighed: { bound } }: FusedSearch,
  ...arms: readonly (readonly FoundRow[])[]
): FusedHit[] {
  const found = new Map<string, FusedHit>();
  for (const { layer, id, sum, similarity } of arms.flat()) {
    const lexical = scoreOf(sum);
    const score = fuse({ score: lexical, bound }, { cosine: similarity ?? 0 });
    const hit = { layer, id, score, lexical, similarity: similarity ?? undefined };
    found.set(`${layer} ${id}`, hit);
  }
  const rank = byPrecedence(layers);
  return [...found.values()].sort((a, b) => b.score - a.score || rank(a, b)).slice(0, query.top_k);
}

/**
 * Returns the word score above which an uncompared document could still be among the best results; undefined if none
 * can. The bound uses the score of the last document of each search.
 */
function minMissedSum(
  { query, weighed: { bound } }: FusedSearch,
  hits: readonly FusedHit[],
  [found]: readonly WordsRow[],
  { width, farthest }: { width: number; farthest: number },
): number | undefined {
  if (found === undefined || found.matched <= width) return undefined;
  const last = hits.at(query.top_k - 1);
  const least =
    last === undefined ? 0 : sumOf(minLexicalScore(last.score, farthest, bound)) * (1 - ROUNDING);
  return found.last_sum < least ? undefined : Math.max(0, least);
}
