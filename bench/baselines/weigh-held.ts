import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { isDictionaryWord } from '@catalog/core/search/near-words';
import { queryWords } from '@catalog/core/search/query-terms';
import {
  MOST_LISTED,
  weighQuery,
  type HeldTerm,
  type KnownTerms,
  type WeighedQuery,
  type WordsAsked,
} from '@catalog/core/search/weigh-query';

/** A view, and what there is for every term; those that nobody in the view has do no harm. */
export interface AllTerms extends KnownTerms {
  postings: ReadonlyMap<string, unknown>;
}

/** What the words of a query count for in a view: every term is looked at. */
export function weighHeld(query: string, { postings, ...known }: AllTerms): WeighedQuery {
  const listWords = (asked: WordsAsked): HeldTerm[] => {
    const words = [...postings.keys()]
      .filter((term) => isDictionaryWord(term))
      .filter((term) => asked.kind === 'near' || term.startsWith(asked.prefix))
      .map((term) => ({ term, holders: known.holdersOf(term) }))
      .filter(({ holders }) => holders > 0)
      .sort((a, b) => compareBytes(a.term, b.term));
    return asked.kind === 'near' ? words : words.slice(0, MOST_LISTED);
  };
  return weighQuery(queryWords(query), known, listWords);
}
