import type { IndexSearchResult } from '../ports/search-index.ts';
import { maxMistakes } from './near-words.ts';

/**
 * Returns true if a document of the view has a word of the query, a completion of one, or a correction
 * of a typo. Words are corrected only if no document has any of them. If the model knows a word of the
 * query, corrections do not count, because the words are probably written as intended: "moon landing"
 * is not about "and". They do not count either if a word has no correction: in a large catalog, one
 * of several random words is close to some word.
 */
export function sharesWord(
  { is_known, terms }: Pick<IndexSearchResult, 'is_known' | 'terms'>,
  least_nearest: number,
): boolean {
  const isCorrected = terms.some(
    ({ term, for: word }) => word !== undefined && !term.startsWith(word),
  );
  if (!is_known || !isCorrected) return is_known;
  const isComplete = terms.every(
    ({ term, for: word }) => word !== undefined || maxMistakes(term) === 0,
  );
  return isComplete && least_nearest === Infinity;
}
