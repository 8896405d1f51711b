/** The weight of words beside meaning, measured (decision 52). */
const LEXICAL_WEIGHT = 0.75;
/** Past six digits a score says nothing; without the cut, engines would differ in the last one. */
const DIGITS = 1e6;

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
 * The one score a result is ordered by and shown with (decisions 26 and 52). Words alone keep their
 * share of the scale, so a score means the same whether or not the vectors answered.
 */
export function fuse(lexical: LexicalArm, vector?: VectorArm): number {
  const words = lexical.bound > 0 ? lexical.score / lexical.bound : 0;
  return Math.round(((vector?.cosine ?? 0) + LEXICAL_WEIGHT * words) * DIGITS) / DIGITS;
}
