import { queryWords } from './query-terms.ts';

export interface QueryModel {
  isWholeWord: (word: string) => boolean;
  /** Minimum cosine of the nearest document for a query with a known word. */
  leastNearest: (query: string) => number;
}

/**
 * Returns the minimum of the model if it knows a word of the query, otherwise Infinity: the vector of an unknown word
 * has random neighbors.
 */
export function minNearestCosine(query: string, model: QueryModel): number {
  const isKnown = queryWords(query).some(({ word }) => model.isWholeWord(word));
  return isKnown ? model.leastNearest(query) : Infinity;
}
