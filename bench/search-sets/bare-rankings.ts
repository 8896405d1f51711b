import { embeddedText } from '@catalog/core/search/embedded-text';
import { fuse, fuseRanks } from '@catalog/core/search/fuse';
import { METRICS_DEPTH } from '@catalog/core/search/metrics';
import { cosine } from '@catalog/core/search/reference-hybrid';
import { encode } from '@catalog/embedder/encode';
import { openBareWords } from './bare-words.ts';
import type { SearchSet } from './search-set.ts';

/** The ways to order a set that are shown beside the product's own. */
export const BARE_WAYS = ['bm25', 'vectors', 'rrf', 'sum'] as const;
export type BareWay = (typeof BARE_WAYS)[number];

/** How many of an arm's best have a rank, as in the measurements of the model. */
const RANKED = 100;

/**
 * The best ids of each query of a set by words alone, by vectors alone, and by both: by ranks, and by
 * the sum that the product uses. Every document is looked at; no index, no floor, no server.
 */
export function rankBarely({ documents, queries }: SearchSet): Record<BareWay, string[][]> {
  const wordsOf = openBareWords(documents);
  const vectors = documents.map((document) => encode(embeddedText(document)));
  const ranked: Record<BareWay, string[][]> = { bm25: [], vectors: [], rrf: [], sum: [] };
  const idsOf = (places: readonly number[]): string[] =>
    places.slice(0, METRICS_DEPTH).map((place) => documents[place]?.id ?? '');
  for (const { query } of queries) {
    const { scores, bound } = wordsOf(query);
    const asked = encode(query);
    const cosines = Float64Array.from(vectors, (vector) => cosine(asked, vector));
    const sums = cosines.map((value, place) =>
      fuse({ score: scores[place] ?? 0, bound }, { cosine: value }),
    );
    // No word in common is no match; without a meaning in common there is still the least unlike.
    const words = bestPlaces(scores, RANKED).filter((place) => (scores[place] ?? 0) > 0);
    const near = bestPlaces(cosines, RANKED);
    ranked.bm25.push(idsOf(words));
    ranked.vectors.push(idsOf(near));
    ranked.rrf.push(idsOf(bestPlaces(shareRanks(words, near, documents.length), METRICS_DEPTH)));
    ranked.sum.push(idsOf(bestPlaces(sums, METRICS_DEPTH)));
  }
  return ranked;
}

function shareRanks(
  words: readonly number[],
  near: readonly number[],
  documents: number,
): Float64Array {
  const byWords = new Map(words.map((place, rank) => [place, rank]));
  const byMeaning = new Map(near.map((place, rank) => [place, rank]));
  const shares = new Float64Array(documents);
  for (const place of [...words, ...near]) {
    shares[place] = fuseRanks(byWords.get(place), byMeaning.get(place));
  }
  return shares;
}

/** The places of the best scores; of equals, the earlier. */
function bestPlaces(scores: Float64Array, count: number): number[] {
  // Sorting numbers is cheap, and what is below the last of the best need not be sorted at all.
  const least = scores.toSorted().at(-count) ?? -Infinity;
  const places: number[] = [];
  scores.forEach((score, place) => {
    if (score >= least) places.push(place);
  });
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, count);
}
