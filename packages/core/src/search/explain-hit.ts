import type { SearchExplanation } from '@catalog/contract/records/discovery';
import type { FusedHit, HybridSearchResult } from './hybrid-search.ts';

export function explainHit(
  { terms, bound }: Pick<HybridSearchResult, 'terms' | 'bound'>,
  matched: readonly string[],
  { lexical, similarity }: FusedHit,
  layer: string,
): SearchExplanation {
  const words = new Map(terms.map((term) => [term.term, term.for]));
  return {
    terms: matched.map((term) => {
      const word = words.get(term);
      return word === undefined ? term : `${term} (${word})`;
    }),
    lexical: bound > 0 ? lexical / bound : 0,
    similarity: similarity ?? null,
    layer,
  };
}
