import { embeddedText } from '@catalog/core/search/embedded-text';
import { fuse, fuseRanks } from '@catalog/core/search/fuse';
import { METRICS_DEPTH } from '@catalog/core/search/metrics';
import { cosine } from '@catalog/core/search/reference-hybrid';
import { encode } from '@catalog/embedder/encode';
import { openBareWords } from './bare-words.ts';
import type { SearchSet } from './search-set.ts';

/** Rankings of a set that are shown next to the ranking of the product. */
export const BASELINE_METHODS = ['bm25', 'vectors', 'rrf', 'sum'] as const;
export type BaselineMethod = (typeof BASELINE_METHODS)[number];

/** Number of results per method that get a rank, as in the measurements of the model. */
const RANKED = 100;

/**
 * Ranks by words alone, by vectors alone, by reciprocal rank fusion, and by the weighted sum of the
 * product. Scores every document, without an index, a threshold or a server.
 */
export function rankWithBaselines({
  documents,
  queries,
}: SearchSet): Record<BaselineMethod, string[][]> {
  const wordsOf = openBareWords(documents);
  const vectors = documents.map((document) => encode(embeddedText(document)));
  const ranked: Record<BaselineMethod, string[][]> = { bm25: [], vectors: [], rrf: [], sum: [] };
  const idsOf = (places: readonly number[]): string[] =>
    places.slice(0, METRICS_DEPTH).map((place) => documents[place]?.id ?? '');
  for (const { query } of queries) {
    const { scores, bound } = wordsOf(query);
    const queryVector = encode(query);
    const cosines = Float64Array.from(vectors, (vector) => cosine(queryVector, vector));
    const sums = cosines.map((value, place) =>
      fuse({ score: scores[place] ?? 0, bound }, { cosine: value }),
    );
    // A document without a shared word does not match. By vectors, every document has a similarity.
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
  const byVector = new Map(near.map((place, rank) => [place, rank]));
  const shares = new Float64Array(documents);
  for (const place of [...words, ...near]) {
    shares[place] = fuseRanks(byWords.get(place), byVector.get(place));
  }
  return shares;
}

/** Returns the indexes of the best scores; the earlier index wins a tie. */
function bestPlaces(scores: Float64Array, count: number): number[] {
  // Only scores above the limit are sorted.
  const least = scores.toSorted().at(-count) ?? -Infinity;
  const places: number[] = [];
  scores.forEach((score, place) => {
    if (score >= least) places.push(place);
  });
  return places.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b).slice(0, count);
}
