import { queryWords } from './query-terms.ts';

/**
 * Returns `least` if the model knows a word of the query, otherwise Infinity: the vector of an unknown word has random
 * neighbors.
 */
export function minNearestCosine(
  query: string,
  isWholeWord: (word: string) => boolean,
  least: number,
): number {
  return queryWords(query).some(({ word }) => isWholeWord(word)) ? least : Infinity;
}
