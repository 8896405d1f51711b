import { stem } from './stem.ts';

/**
 * Words that form a question without naming a topic. Documents keep them, so that a query of only such words has
 * results.
 */
const STOPWORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below
  between both but by can cannot could did do does doing dont down during each either etc few for
  from further had has have having he her here hers him his how i if in into is it its itself just
  let lets like may me might more most must my need needs neither nor not of off on once one only
  onto or other our ours out over own per please same shall she should so some such than that the
  their theirs them then there these they this those through thus to too under until up upon us
  very want wants was way we were what when where whether which while who whom whose why will with
  within without would you your yours`.split(/\s+/),
);

export const SEARCH_LANGUAGES = ['english', 'none'] as const;

export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number];

export const DEFAULT_LANGUAGE: SearchLanguage = 'english';

interface Language {
  stem: (word: string) => string;
  stopwords: ReadonlySet<string>;
}

export const LANGUAGES: Readonly<Record<SearchLanguage, Language>> = {
  english: { stem, stopwords: STOPWORDS },
  none: { stem: (word) => word, stopwords: new Set() },
};
