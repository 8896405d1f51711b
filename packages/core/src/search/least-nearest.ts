import { queryWords } from './query-terms.ts';

/**
 * Returns `least` if the model knows a word of the query, else Infinity: the vector of an unknown word
 * is a sum of fragments, and what is near it is near by chance.
 */
export function leastNearest(
  query: string,
  isWholeWord: (word: string) => boolean,
  least: number,
): number {
  return queryWords(query).some(({ word }) => isWholeWord(word)) ? least : Infinity;
}
