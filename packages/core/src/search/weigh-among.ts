import { compareBytes } from '../artifact/compare-bytes.ts';
import { isDictionaryWord } from './near-words.ts';
import type { QueryWord } from './query-terms.ts';
import {
  MAX_LISTED,
  weighQuery,
  type TermFrequency,
  type WeighedQuery,
  type WordsRequest,
} from './weigh-query.ts';

export function weighAmong(
  documents: readonly ReadonlyMap<string, number>[],
  words: readonly QueryWord[],
): WeighedQuery {
  const holders = new Map<string, number>();
  for (const terms of documents) {
    for (const term of terms.keys()) holders.set(term, (holders.get(term) ?? 0) + 1);
  }
  const holdersOf = (term: string): number => holders.get(term) ?? 0;
  return weighQuery(words, { documents: documents.length, holdersOf }, (request) =>
    listWords(holders, request),
  );
}

function listWords(holders: ReadonlyMap<string, number>, request: WordsRequest): TermFrequency[] {
  const words = Array.from(holders, ([term, count]) => ({ term, holders: count })).filter(
    ({ term }) => isDictionaryWord(term),
  );
  if (request.kind === 'near') return words;
  return words
    .filter(({ term }) => term.startsWith(request.prefix))
    .sort((a, b) => compareBytes(a.term, b.term))
    .slice(0, MAX_LISTED);
}
