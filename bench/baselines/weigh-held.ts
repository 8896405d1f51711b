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

/** A view, and the postings of every term. Terms that are not in the view have no effect. */
export interface AllTerms extends KnownTerms {
  postings: ReadonlyMap<string, unknown>;
}

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
