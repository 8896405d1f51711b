import { DEFAULT_LANGUAGE, SEARCH_LANGUAGES, type SearchLanguage } from './language.ts';

/** Version of the term extraction; increases with every change of terms or impacts. */
const INDEX_VERSION = 2;

/** Returns the name of the term extraction. Stores save it and rebuild terms if it differs. */
export function indexKind(language: SearchLanguage): string {
  return `${language}/${INDEX_VERSION}`;
}

/** Term extraction of stores that did not save its name. */
export const FIRST_KIND = 'english/1';

/** Returns the language of a term extraction, for former versions too. */
export function languageOf(kind: string): SearchLanguage {
  const name = kind.slice(0, kind.indexOf('/'));
  return SEARCH_LANGUAGES.find((language) => language === name) ?? DEFAULT_LANGUAGE;
}
