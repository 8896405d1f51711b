import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { SearchAnswer, SearchQuery } from '@catalog/core/ports/search-index';
import { boundOf, rarityOf, scoreOf } from '@catalog/core/search/bm25';
import { fetchIds, firstById, LAST_ID, type Found } from './search-by-id.ts';
import { better, keepBest, type BestCandidates, type Candidate } from './search-candidates.ts';
import { impactIn, numberAt, placeIn, STRETCH_SIZE } from './search-postings.ts';
import { countFilters, readRows, type Search, type StretchRows } from './search-rows.ts';

/** Ranks every document that has one of the words: no document is left out, so the count is exact. */
export function searchWords(
  search: Search,
  words: readonly string[],
  query: SearchQuery,
): SearchAnswer {
  const rows = readRows(search, words, query);
  const { documents, shadows } = search.view;
  const all = [...documents.values()].reduce((sum, count) => sum + count, 0);
  const rarities = rows.holders.map((holders) => rarityOf(all, holders));
  const best = keepBest(query.top_k);
  let total = 0;
  // From the highest layer down: of equals in lower ones fewer have to be kept.
  for (let rank = search.layers.length - 1; rank >= 0; rank -= 1) {
    const layer = search.layers[rank] ?? 0;
    for (const stretch of rows.byLayer.get(layer)?.values() ?? []) {
      const hidden = shadows.placesIn(layer, stretch.stretch);
      const { filter_count } = rows;
      total += scoreStretch(stretch, { rarities, hidden, filter_count, rank, best });
    }
  }
  return {
    hits: nameBest(search, best.list(), query.top_k),
    bound: boundOf(rarities),
    total_matched: total,
    total_estimated: false,
  };
}

interface Scoring {
  rarities: readonly number[];
  hidden: ReadonlySet<number>;
  filter_count: number;
  rank: number;
  best: BestCandidates;
}

/** Reused and left empty: the sum of each place, and the places that have one. */
const sums = new Float64Array(STRETCH_SIZE);
const touched = new Uint16Array(STRETCH_SIZE);

/** Offers every match of a stretch; answers how many there were. */
function scoreStretch(rows: StretchRows, scoring: Scoring): number {
  const { rarities, hidden, filter_count, rank, best } = scoring;
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
    sums[place] = 0;
    if (sum === 0 || (marks !== undefined && marks[place] !== filter_count)) continue;
    matched += 1;
    best.offer(sum, rank, numberAt(rows.stretch, place));
  }
  return matched;
}

/** Finds the ids of the best, and by them the first of those that nothing else tells apart. */
function nameBest(
  search: Search,
  candidates: readonly Candidate[],
  limit: number,
): SearchAnswer['hits'] {
  const last = candidates[limit - 1];
  const certain =
    last === undefined ? candidates : candidates.filter((each) => better(each, last) < 0);
  const equal = candidates.slice(certain.length);
  const named = [
    ...nameCandidates(search, certain),
    ...firstEqual(search, equal, limit - certain.length),
  ];
  return named
    .sort((a, b) => better(a, b) || compareBytes(a.id, b.id))
    .map(({ layer, id, sum }) => ({ layer, id, score: scoreOf(sum) }));
}

type NamedCandidate = Candidate & Found;

function nameCandidates(
  { connection, tenant, layers }: Search,
  candidates: readonly Candidate[],
): NamedCandidate[] {
  const named: NamedCandidate[] = [];
  for (const [rank, ranked] of Map.groupBy(candidates, (candidate) => candidate.rank)) {
    const byNumber = new Map(ranked.map((candidate) => [candidate.number, candidate]));
    for (const found of fetchIds(connection, tenant, layers[rank] ?? 0, [...byNumber.keys()])) {
      const candidate = byNumber.get(found.number);
      if (candidate !== undefined) named.push({ ...candidate, ...found });
    }
  }
  return named;
}

/** Of candidates of one score and one layer, the first by id. */
function firstEqual(
  { connection, tenant, layers, view }: Search,
  equal: readonly Candidate[],
  limit: number,
): NamedCandidate[] {
  const [first] = equal;
  if (first === undefined) return [];
  const numbers = new Set(equal.map(({ number }) => number));
  const layer = layers[first.rank] ?? 0;
  const members = {
    layer,
    count: numbers.size,
    among: view.documents.get(layer) ?? 0,
    has: (number: number) => numbers.has(number),
    list: () => [...numbers],
  };
  const everywhere = { after: '', before: LAST_ID };
  return firstById(connection, tenant, members, everywhere, limit).map((found) => ({
    ...first,
    ...found,
  }));
}
