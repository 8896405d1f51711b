import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { isDictionaryWord } from '@catalog/core/search/near-words';
import { queryWords } from '@catalog/core/search/query-terms';
import {
  MAX_LISTED,
  weighQuery,
  type TermFrequency,
  type KnownTerms,
  type WeighedQuery,
  type WordsRequest,
} from '@catalog/core/search/weigh-query';

/** A view, and the postings of every term. Terms that are not in the view have no effect. */
export interface AllTerms extends KnownTerms {
  postings: ReadonlyMap<string, unknown>;
}

export function weighAllTerms(query: string, { postings, ...known }: AllTerms): WeighedQuery {
  const listWords = (request: WordsRequest): TermFrequency[] => {
    const words = [...postings.keys()]
      .filter((term) => isDictionaryWord(term))
      .filter((term) => request.kind === 'near' || term.startsWith(request.prefix))
      .map((term) => ({ term, holders: known.holdersOf(term) }))
      .filter(({ holders }) => holders > 0)
      .sort((a, b) => compareBytes(a.term, b.term));
    return request.kind === 'near' ? words : words.slice(0, MAX_LISTED);
  };
  return weighQuery(queryWords(query), known, listWords);
}
