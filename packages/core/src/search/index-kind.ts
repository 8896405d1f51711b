import { DEFAULT_LANGUAGE, SEARCH_LANGUAGES, type SearchLanguage } from './language.ts';

/** Increases with every change of terms or impacts for documents in the same language. */
const INDEX_VERSION = 2;

/** Identifies the term method. Stores save it and rebuild the terms if it changes. */
export function indexKind(language: SearchLanguage): string {
  return `${language}/${INDEX_VERSION}`;
}

/** Kind of terms from before stores saved it. */
export const FIRST_KIND = 'english/1';

/** Searches former versions of a language as the current one. */
export function languageOf(kind: string): SearchLanguage {
  const name = kind.slice(0, kind.indexOf('/'));
  return SEARCH_LANGUAGES.find((language) => language === name) ?? DEFAULT_LANGUAGE;
}
