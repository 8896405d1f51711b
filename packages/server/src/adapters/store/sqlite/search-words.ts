import type { SearchAnswer, SearchQuery } from '@catalog/core/ports/search-index';
import { scoreOf } from '@catalog/core/search/bm25';
import { queryWords } from '@catalog/core/search/query-terms';
import { weighQuery } from '@catalog/core/search/weigh-query';
import { keepBest } from './search-candidates.ts';
import { nameBest } from './search-names.ts';
import { languagesOf } from './search-indexing.ts';
import { impactIn, numberAt, placeIn, STRETCH_SIZE } from './search-postings.ts';
import { listWords } from './search-vocabulary.ts';
import {
  countFilters,
  readRows,
  type Search,
  type SearchRows,
  type StretchRows,
} from './search-rows.ts';

/** A query as its words were read. */
export interface ReadQuery extends Pick<SearchAnswer, 'terms' | 'bound'> {
  rows: SearchRows;
}

/** Ranks every document that has one of the words: no document is left out, so the count is exact. */
export function searchWords(search: Search, query: SearchQuery): SearchAnswer {
  const read = readQuery(search, query);
  const best = keepBest(query.top_k);
  const total_matched = scoreAll(search, read, best);
  const { terms, bound } = read;
  return {
    hits: nameBest(search, best.list(), query.top_k).map(({ layer, id, sum }) => ({
      layer,
      id,
      score: scoreOf(sum),
    })),
    terms,
    bound,
    total_matched,
    total_estimated: false,
  };
}

export function readQuery(search: Search, query: SearchQuery): ReadQuery {
  const words = queryWords(query.query, languagesOf(search.connection, search.tenant));
  const asked = [...new Set(words.flatMap(({ terms }) => terms))];
  const { connection, tenant } = search;
  const { documents } = search.view;
  const found = readRows(search, asked, query);
  const known = {
    documents: [...documents.values()].reduce((sum, count) => sum + count, 0),
    holdersOf: (term: string) => found.holders[asked.indexOf(term)] ?? 0,
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
  return { terms, bound, rows };
}

/** What becomes of the matches. */
export interface Scorer {
  offer(sum: number, rank: number, number: number): void;
  /** Told of each stretch of a layer: the sum of every place, which is reused afterwards. */
  keep?(rank: number, stretch: number, sums: Float64Array): void;
}

/** Offers every match with its sum; answers how many there were. */
export function scoreAll(
  { layers, view }: Search,
  { terms, rows }: ReadQuery,
  scorer: Scorer,
): number {
  const rarities = terms.map(({ rarity }) => rarity);
  const { filter_count } = rows;
  let total = 0;
  // From the highest layer down: of equals in lower ones fewer have to be kept.
  for (let rank = layers.length - 1; rank >= 0; rank -= 1) {
    const layer = layers[rank] ?? 0;
    for (const stretch of rows.byLayer.get(layer)?.values() ?? []) {
      const hidden = view.shadows.placesIn(layer, stretch.stretch);
      total += scoreStretch(stretch, { rarities, hidden, filter_count, rank, scorer });
    }
  }
  return total;
}

/** How many documents of the layers have a term, by its postings of four bytes each. */
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

/** Reused and left empty: the sum of each place, and the places that have one. */
const sums = new Float64Array(STRETCH_SIZE);
const touched = new Uint16Array(STRETCH_SIZE);

/** Offers every match of a stretch; answers how many there were. */
function scoreStretch(rows: StretchRows, scoring: Scoring): number {
  const { rarities, hidden, filter_count, rank, scorer } = scoring;
  let length = 0;
  for (const { word, postings } of rows.words) {
    const rarity = rarities[word] ?? 0;
    for (let at = 0; at < postings.length; at += 1) {
      const posting = postings[at] ?? 0;
      const place = placeIn(posting);
      const sum = sums[place] ?? 0;
      if (sum === 0) touched[length++] = place;
      sums[place] = sum + rarity * impactIn(posting);
    }
  }
  for (const place of hidden) sums[place] = 0;
  const marks = filter_count === 0 ? undefined : countFilters(rows);
  let matched = 0;
  for (let at = 0; at < length; at += 1) {
    const place = touched[at] ?? 0;
    const sum = sums[place] ?? 0;
    if (sum === 0) continue;
    if (marks !== undefined && marks[place] !== filter_count) {
      sums[place] = 0;
      continue;
    }
    matched += 1;
    scorer.offer(sum, rank, numberAt(rows.stretch, place));
  }
  scorer.keep?.(rank, rows.stretch, sums);
  for (let at = 0; at < length; at += 1) sums[touched[at] ?? 0] = 0;
  return matched;
}
