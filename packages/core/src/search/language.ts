import { stem } from './stem.ts';
import { STOPWORDS } from './stopwords.ts';

/** Languages that words can be taken for; in `none` every word is its own and none is left out. */
export const SEARCH_LANGUAGES = ['english', 'none'] as const;

export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number];

export const DEFAULT_LANGUAGE: SearchLanguage = 'english';

interface Language {
  /** What the forms of a word have in common. */
  stem: (word: string) => string;
  /** Words that are left out of a query. */
  stopwords: ReadonlySet<string>;
}

export const LANGUAGES: Readonly<Record<SearchLanguage, Language>> = {
  english: { stem, stopwords: STOPWORDS },
  none: { stem: (word) => word, stopwords: new Set() },
};
