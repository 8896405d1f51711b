import { DEFAULT_LANGUAGE, LANGUAGES, type SearchLanguage } from './language.ts';
import { tokenize } from './tokenize.ts';

/** Terms of one query that are looked for; the first ones, as people put what matters first. */
const MOST_TERMS = 64;

/** A word of a query. */
export interface QueryWord {
  /** In lower case and plain letters, before it is stemmed. */
  word: string;
  terms: readonly string[];
  /** The query ends with it, and nothing says that it is finished. */
  is_last: boolean;
}

/**
 * The distinct words a query looks for, in its order. Where documents are being made anew in another
 * language, words have their terms in both; the last is the one that stays.
 */
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
    const terms = word.terms.slice(0, MOST_TERMS - seen.size);
    for (const term of terms) seen.add(term);
    return terms.length === 0 ? [] : [{ ...word, terms }];
  });
}

/** The distinct terms a query looks for, in its order. */
export function queryTerms(query: string): string[] {
  return [...new Set(queryWords(query).flatMap(({ terms }) => terms))];
}
