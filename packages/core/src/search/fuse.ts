/** The weight of words beside meaning, measured (SPEC-52). */
const LEXICAL_WEIGHT = 0.75;
/** How little the first rank counts more than the next, of reciprocal rank fusion. */
const RANK_CONSTANT = 60;
/** Past six digits a score says nothing; without the cut, engines would differ in the last one. */
const DIGITS = 1e6;

/**
 * How the two arms become one score: `cosine` adds them up, where similarities are cosines of a known
 * scale; `rrf` adds reciprocal ranks, where they are not.
 */
export type Fusion = 'cosine' | 'rrf';

/** What the words of a query found. */
export interface LexicalArm {
  /** BM25. */
  score: number;
  /** The score no artifact can reach with this query; 0 for a query without words. */
  bound: number;
}

/** What the meaning of a query found. */
export interface VectorArm {
  cosine: number;
}

/**
 * The one score a result is ordered by and shown with (SPEC-26 and SPEC-52). Words alone keep their
 * share of the scale, so a score means the same whether or not the vectors answered.
 */
export function fuse(lexical: LexicalArm, vector?: VectorArm): number {
  const words = lexical.bound > 0 ? lexical.score / lexical.bound : 0;
  return roundScore((vector?.cosine ?? 0) + LEXICAL_WEIGHT * words);
}

/** What one unit of BM25 is worth beside a cosine; 0 for a query without words. */
export function shareOfWords(bound: number): number {
  return bound > 0 ? LEXICAL_WEIGHT / bound : 0;
}

/** With less BM25 than this nothing of at most this cosine reaches a score. */
export function leastWords(score: number, cosine: number, bound: number): number {
  return ((score - cosine - 1 / DIGITS) / LEXICAL_WEIGHT) * bound;
}

/** The same from ranks that begin at 0; undefined where an arm did not find it. */
export function fuseRanks(lexical: number | undefined, vector: number | undefined): number {
  return roundScore(shareOf(lexical) + shareOf(vector));
}

function shareOf(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / (RANK_CONSTANT + rank + 1);
}

/** A score as it is compared and shown. */
export function roundScore(score: number): number {
  return Math.round(score * DIGITS) / DIGITS;
}
