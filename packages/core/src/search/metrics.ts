export interface RankingMetrics {
  /** Normalized discounted cumulative gain: later results count less. */
  ndcg: number;
  /** Reciprocal rank of the first relevant result; 0 without one. */
  mrr: number;
  recall: number;
}

/** Default number of judged results, the page size of search. */
export const METRICS_DEPTH = 10;

/** Judges results, which must be unique and best first, with at least one relevant id. */
export function judgeRanking(
  ranked: readonly string[],
  relevant: ReadonlySet<string>,
  depth = METRICS_DEPTH,
): RankingMetrics {
  if (relevant.size === 0) throw new RangeError('nothing is relevant, so nothing can be judged');
  const places = ranked.slice(0, depth).flatMap((id, place) => (relevant.has(id) ? [place] : []));
  const ideal = Array.from({ length: Math.min(relevant.size, depth) }, (_, place) => place);
  const [first] = places;
  return {
    ndcg: gainOf(places) / gainOf(ideal),
    mrr: first === undefined ? 0 : 1 / (first + 1),
    recall: places.length / relevant.size,
  };
}

export function meanMetrics(judged: readonly RankingMetrics[]): RankingMetrics {
  if (judged.length === 0) throw new RangeError('no query was judged');
  const mean = (member: keyof RankingMetrics): number =>
    judged.reduce((sum, metrics) => sum + metrics[member], 0) / judged.length;
  return { ndcg: mean('ndcg'), mrr: mean('mrr'), recall: mean('recall') };
}

function gainOf(places: readonly number[]): number {
  return places.reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0);
}
