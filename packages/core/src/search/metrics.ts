/** How good a ranking is, each from 0 to 1. */
export interface RankingMetrics {
  /** Normalized discounted cumulative gain: what is relevant counts less the later it comes. */
  ndcg: number;
  /** One over the place of the first relevant result; 0 where there is none. */
  mrr: number;
  /** The share of what is relevant that was found. */
  recall: number;
}

/** Results that are looked at, where nobody says otherwise: what a search answers by default. */
export const METRICS_DEPTH = 10;

/**
 * Judges the first results of a ranking, best first and each id once, by the ids that answer the
 * question. All of these count the same; there has to be one.
 */
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

/** The mean over the queries of a set, each counting the same. */
export function meanMetrics(judged: readonly RankingMetrics[]): RankingMetrics {
  if (judged.length === 0) throw new RangeError('no query was judged');
  const mean = (member: keyof RankingMetrics): number =>
    judged.reduce((sum, metrics) => sum + metrics[member], 0) / judged.length;
  return { ndcg: mean('ndcg'), mrr: mean('mrr'), recall: mean('recall') };
}

/** The discounted gain of relevant results at these places, which begin at 0. */
function gainOf(places: readonly number[]): number {
  return places.reduce((sum, place) => sum + 1 / Math.log2(place + 2), 0);
}
