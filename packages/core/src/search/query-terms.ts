import { DEFAULT_LANGUAGE, LANGUAGES, type SearchLanguage } from './language.ts';
import { tokenize } from './tokenize.ts';

/** Maximum number of terms. The first ones are kept, because users write important words first. */
const MAX_TERMS = 64;

export interface QueryWord {
  /** Word in lowercase without accents, not stemmed. */
  word: string;
  terms: readonly string[];
  /** True for the last word without a separator after it, which may be unfinished. */
  is_last: boolean;
}

/** Returns distinct words in order. While the language changes, words have the terms of both languages. */
export function queryWords(
  query: string,
  languages: readonly SearchLanguage[] = [DEFAULT_LANGUAGE],
): QueryWord[] {
  const [tokens = [], ...former] = languages
    .toReversed()
    .map((language) => tokenize(query, 'query', language));
  const { stopwords } = LANGUAGES[languages.at(-1) ?? DEFAULT_LANGUAGE];
  const last = /\s$/.test(query) ? undefined : tokens.length - 1;
  const words = tokens.map(({ word, terms }, at) => ({
    word,
    terms: [...new Set([...terms, ...former.flatMap((others) => others[at]?.terms ?? [])])],
    is_last: at === last,
  }));
  const telling = words.filter(({ word }) => !stopwords.has(word));
  const seen = new Set<string>();
  return (telling.length > 0 ? telling : words).flatMap((word) => {
    if (word.terms.every((term) => seen.has(term))) return [];
    const terms = word.terms.slice(0, MAX_TERMS - seen.size);
    for (const term of terms) seen.add(term);
    return terms.length === 0 ? [] : [{ ...word, terms }];
  });
}

export function queryTerms(query: string): string[] {
  return [...new Set(queryWords(query).flatMap(({ terms }) => terms))];
}
