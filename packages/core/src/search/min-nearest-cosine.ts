import { queryWords } from './query-terms.ts';

/**
 * Returns `least` if the model knows a word of the query, else Infinity. The vector of an unknown
 * word is a sum of fragments, so its neighbors are random.
 */
export function minNearestCosine(
  query: string,
  isWholeWord: (word: string) => boolean,
  least: number,
): number {
  return queryWords(query).some(({ word }) => isWholeWord(word)) ? least : Infinity;
}
