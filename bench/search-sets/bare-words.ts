import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import type { SearchDocument } from '@catalog/core/ports/search-index';
import { scoreOf } from '@catalog/core/search/bm25';
import { documentTerms } from '@catalog/core/search/document-terms';
import { isDictionaryWord } from '@catalog/core/search/near-words';
import { queryWords } from '@catalog/core/search/query-terms';
import {
  MAX_LISTED,
  weighQuery,
  type TermFrequency,
  type WordsRequest,
} from '@catalog/core/search/weigh-query';

export interface BareWords {
  /** Score of each document, by index; 0 if it contains none of the words. */
  scores: Float64Array;
  bound: number;
}

type Postings = ReadonlyMap<string, readonly [place: number, impact: number][]>;

/** Opens the product's lexical search over all documents, with postings in memory. */
export function openBareWords(documents: readonly SearchDocument[]): (query: string) => BareWords {
  const postings = collectPostings(documents);
  const known = {
    documents: documents.length,
    holdersOf: (term: string) => postings.get(term)?.length ?? 0,
  };
  const listWords = openDictionary(postings);
  return (query) => {
    const { terms, bound } = weighQuery(queryWords(query), known, listWords);
    const sums = new Float64Array(documents.length);
    for (const { term, rarity } of terms) {
      for (const [place, impact] of postings.get(term) ?? []) {
        sums[place] = (sums[place] ?? 0) + rarity * impact;
      }
    }
    return { scores: sums.map(scoreOf), bound };
  };
}

function collectPostings(documents: readonly SearchDocument[]): Postings {
  const postings = new Map<string, [place: number, impact: number][]>();
  documents.forEach((document, place) => {
    for (const [term, impact] of documentTerms(document)) {
      const holders = postings.get(term) ?? [];
      postings.set(term, holders);
      holders.push([place, impact]);
    }
  });
  return postings;
}

/** Lists all words as similar, because additional ones have no effect. */
function openDictionary(postings: Postings): (wordsRequest: WordsRequest) => TermFrequency[] {
  const words = Array.from(postings, ([term, { length: holders }]) => ({ term, holders }))
    .filter(({ term }) => isDictionaryWord(term))
    .sort((a, b) => compareBytes(a.term, b.term));
  return (wordsRequest) =>
    wordsRequest.kind === 'near'
      ? words
      : words.filter(({ term }) => term.startsWith(wordsRequest.prefix)).slice(0, MAX_LISTED);
}
