import type { IndexSearchResult, SearchQuery } from '@catalog/core/ports/search-index';
import { scoreOf } from '@catalog/core/search/bm25';
import { queryWords } from '@catalog/core/search/query-terms';
import { weighQuery } from '@catalog/core/search/weigh-query';
import type { LayerNumber } from '@catalog/core/ports/layer-number';
import { keepBest, type BestCandidates } from './candidates.ts';
import { resolveBestIds } from './resolve-best-ids.ts';
import { languagesOf } from './indexing.ts';
import {
  impactAt,
  impactIn,
  numberAt,
  placeIn,
  placeOf,
  STRETCH_SIZE,
  stretchOf,
  type Postings,
} from './postings.ts';
import { listWords } from './vocabulary.ts';
import { countFilters, readRows, type Search, type SearchRows, type StretchRows } from './rows.ts';

export interface ReadQuery extends Pick<IndexSearchResult, 'terms' | 'bound' | 'is_known'> {
  rows: SearchRows;
}

/** Searches by words. The number of matches is exact, because every document is read. */
export function searchWords(search: Search, query: SearchQuery): IndexSearchResult {
  const read = readQuery(search, query);
  const best = keepBest(query.top_k);
  const total_matched = scoreAll(search, read, best);
  const { terms, bound, is_known } = read;
  return {
    hits: resolveBestIds(search, best.list(), query.top_k).map(({ layer, id, sum }) => ({
      layer,
      id,
      score: scoreOf(sum),
    })),
    terms,
    bound,
    is_known,
    total_matched,
    total_estimated: false,
  };
}

export function readQuery(search: Search, query: SearchQuery): ReadQuery {
  const words = queryWords(query.query, languagesOf(search.connection, search.tenant));
  const queryTerms = [...new Set(words.flatMap(({ terms }) => terms))];
  const { connection, tenant } = search;
  const { documents } = search.view;
  const found = readRows(search, queryTerms, query);
  const known = {
    documents: [...documents.values()].reduce((sum, count) => sum + count, 0),
    holdersOf: (term: string) => found.holders[queryTerms.indexOf(term)] ?? 0,
  };
  const { terms, bound } = weighQuery(words, known, (wanted) =>
    listWords(connection, tenant, wanted, (term) => countHolders(search, term)),
  );
  const isAsItWas = terms.every((term) => term.for === undefined);
  const rows = isAsItWas
    ? found
    : readRows(
        search,
        terms.map(({ term }) => term),
        query,
      );
  return { terms, bound, is_known: rows.holders.some((count) => count > 0), rows };
}

export type Scorer = Pick<BestCandidates, 'offer' | 'least'>;

/** Scores all documents and returns the number of matches, including those below the minimum score. */
export function scoreAll(
  { layers, view }: Search,
  { terms, rows }: ReadQuery,
  scorer: Scorer,
): number {
  const rarities = terms.map(({ rarity }) => rarity);
  const { filter_count } = rows;
  let total = 0;
  // Higher layers come last: of ties in lower layers, fewer must be kept.
  for (let rank = layers.length - 1; rank >= 0; rank -= 1) {
    const layer = layers[rank] ?? 0;
    for (const stretch of rows.byLayer.get(layer)?.values() ?? []) {
      const hidden = view.shadows.placesIn(layer, stretch.stretch);
      total += scoreStretch(stretch, { rarities, hidden, filter_count, rank, scorer });
    }
  }
  return total;
}

export function scoreOne({ terms, rows }: ReadQuery, layer: LayerNumber, number: number): number {
  let sum = 0;
  for (const { word, postings } of rows.byLayer.get(layer)?.get(stretchOf(number))?.words ?? []) {
    sum += (terms[word]?.rarity ?? 0) * impactAt(postings, placeOf(number));
  }
  return sum;
}

/** Counts the documents with a term from the size of the postings, four bytes each. */
function countHolders({ connection, tenant, layers }: Search, term: string): number {
  const row = connection
    .statement<{ holders: number }>(
      `SELECT coalesce(sum(length(p.postings)), 0) / 4 AS holders FROM json_each(?2) visible
       CROSS JOIN search_postings p ON p.tenant = ?1 AND p.layer = visible.value AND p.term = ?3`,
    )
    .get(tenant, JSON.stringify(layers), term);
  return row?.holders ?? 0;
}

interface Scoring {
  rarities: readonly number[];
  hidden: ReadonlySet<number>;
  filter_count: number;
  rank: number;
  scorer: Scorer;
}

/** Score of each document, and 1 for a match. Cleared after use. */
const sums = new Float64Array(STRETCH_SIZE);
const matches = new Uint8Array(STRETCH_SIZE);

function scoreStretch(rows: StretchRows, scoring: Scoring): number {
  const { rarities, hidden, filter_count } = scoring;
  for (const { word, postings } of rows.words) addPostings(postings, rarities[word] ?? 0);
  for (const place of hidden) {
    sums[place] = 0;
    matches[place] = 0;
  }
  const marks = filter_count === 0 ? undefined : countFilters(rows);
  let matched = 0;
  for (const { postings } of rows.words) {
    matched += offerPostings(postings, rows.stretch, marks, scoring);
  }
  return matched;
}

function addPostings(postings: Postings, rarity: number): void {
  for (let at = 0; at < postings.length; at += 1) {
    const posting = postings[at] ?? 0;
    const place = placeIn(posting);
    sums[place] = (sums[place] ?? 0) + rarity * impactIn(posting);
    matches[place] = 1;
  }
}

function offerPostings(
  postings: Postings,
  stretch: number,
  marks: Uint16Array | undefined,
  { filter_count, rank, scorer }: Scoring,
): number {
  let least = scorer.least();
  let matched = 0;
  for (let at = 0; at < postings.length; at += 1) {
    const place = placeIn(postings[at] ?? 0);
    const sum = sums[place] ?? 0;
    const match = matches[place] ?? 0;
    sums[place] = 0;
    matches[place] = 0;
    if (marks !== undefined && marks[place] !== filter_count) continue;
    // Addition instead of a branch, which the CPU could not predict.
    matched += match;
    if (sum < least || sum === 0) continue;
    scorer.offer(sum, rank, numberAt(stretch, place));
    least = scorer.least();
  }
  return matched;
}
