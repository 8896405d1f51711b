import type { IndexSearchResult } from '../ports/search-index.ts';

/**
 * Returns true if a document of the view has a word of the query, a completion of one, or a correction
 * of a typo. If the model knows a word of the query, corrections do not count, because the words are
 * probably written as intended: "moon landing" is not about "and". Words are corrected only if no
 * document has any of them.
 */
export function sharesWord(
  { is_known, terms }: Pick<IndexSearchResult, 'is_known' | 'terms'>,
  least_nearest: number,
): boolean {
  const isCorrected = terms.some(
    ({ term, for: word }) => word !== undefined && !term.startsWith(word),
  );
  return is_known && (!isCorrected || least_nearest === Infinity);
}
