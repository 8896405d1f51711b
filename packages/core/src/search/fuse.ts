/** Weight of words relative to the similarity, from measurements (SPEC-52). */
const LEXICAL_WEIGHT = 0.75;
/** Constant of reciprocal rank fusion: a higher value reduces the advantage of the first ranks. */
const RANK_CONSTANT = 60;
/** Scores are rounded to six digits, because engines differ in later ones. */
const DIGITS = 1e6;

/**
 * Method of combining searches. `cosine` adds scores, if the scale of similarities is known; `rrf` adds reciprocal
 * ranks.
 */
export type Fusion = 'cosine' | 'rrf';

export interface LexicalArm {
  score: number;
  bound: number;
}

export interface VectorArm {
  cosine: number;
}

/**
 * Combines scores (SPEC-26, SPEC-52). The part of the words does not depend on vectors, so scores stay comparable if
 * the vector search fails.
 */
export function fuse(lexical: LexicalArm, vector?: VectorArm): number {
  const words = lexical.bound > 0 ? lexical.score / lexical.bound : 0;
  return roundScore((vector?.cosine ?? 0) + LEXICAL_WEIGHT * words);
}

/** Returns the weight of BM25 relative to a similarity; 0 for a query without words. */
export function lexicalUnitWeight(bound: number): number {
  return bound > 0 ? LEXICAL_WEIGHT / bound : 0;
}

export function minLexicalScore(score: number, cosine: number, bound: number): number {
  return ((score - cosine - 1 / DIGITS) / LEXICAL_WEIGHT) * bound;
}

/** Combines ranks that start at 0; undefined means that the search did not find the result. */
export function fuseRanks(lexical: number | undefined, vector: number | undefined): number {
  return roundScore(shareOf(lexical) + shareOf(vector));
}

function shareOf(rank: number | undefined): number {
  return rank === undefined ? 0 : 1 / (RANK_CONSTANT + rank + 1);
}

export function roundScore(score: number): number {
  return Math.round(score * DIGITS) / DIGITS;
}
