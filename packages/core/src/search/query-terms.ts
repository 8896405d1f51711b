import { STOPWORDS } from './stopwords.ts';
import { tokenize } from './tokenize.ts';

/** Terms of one query that are looked for; the first ones, as people put what matters first. */
const MOST_TERMS = 64;

/** The distinct terms a query looks for, in its order. */
export function queryTerms(query: string): string[] {
  const tokens = tokenize(query, 'query');
  const telling = tokens.filter(({ word }) => !STOPWORDS.has(word));
  const terms = new Set((telling.length > 0 ? telling : tokens).flatMap((token) => token.terms));
  return [...terms].slice(0, MOST_TERMS);
}
