import { DEFAULT_LANGUAGE, SEARCH_LANGUAGES, type SearchLanguage } from './language.ts';

/** Rises whenever documents of the same language would get other terms or impacts than before. */
const INDEX_VERSION = 2;

/** How the terms of documents are made; a store remembers it, and makes them anew when it changes. */
export function indexKind(language: SearchLanguage): string {
  return `${language}/${INDEX_VERSION}`;
}

/** How terms were made before stores remembered it. */
export const FIRST_KIND = 'english/1';

/** Former versions of a language are searched as the current one. */
export function languageOf(kind: string): SearchLanguage {
  const name = kind.slice(0, kind.indexOf('/'));
  return SEARCH_LANGUAGES.find((language) => language === name) ?? DEFAULT_LANGUAGE;
}
