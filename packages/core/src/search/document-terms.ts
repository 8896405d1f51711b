import type { SearchDocument, SearchQuery } from '../ports/search-index.ts';
import { DEFAULT_LANGUAGE, type SearchLanguage } from './language.ts';
import { weighTerms } from './weigh-terms.ts';

/** How often a word counts by where it stands. */
const WEIGHTS = { name: 3, tags: 2, description: 1, when_to_use: 1, id: 1 };

/** What a document is found by: each term with its impact. */
export function documentTerms(
  document: SearchDocument,
  language: SearchLanguage = DEFAULT_LANGUAGE,
): Map<string, number> {
  const parts = [
    { text: document.name, weight: WEIGHTS.name },
    { text: document.tags.join('\n'), weight: WEIGHTS.tags },
    { text: document.description, weight: WEIGHTS.description },
    { text: document.when_to_use.join('\n'), weight: WEIGHTS.when_to_use },
    { text: document.id, weight: WEIGHTS.id },
  ];
  return weighTerms(parts, language);
}

/**
 * What a document can be narrowed down by, as terms of their own: the colon is in no word. Its
 * domains are the folders above it; that its own id is a scope too needs no term.
 */
export function documentFilters({ id, type, tags }: SearchDocument): string[] {
  const filters = [`type:${type}`, ...new Set(tags.map((tag) => `tag:${tag}`))];
  for (let end = id.indexOf('/'); end !== -1; end = id.indexOf('/', end + 1)) {
    filters.push(`in:${id.slice(0, end)}`);
  }
  return filters;
}

/** The filters a document must all have, its scope apart. */
export function queryFilters({ type, tags }: Pick<SearchQuery, 'type' | 'tags'>): string[] {
  return [...(type === '' ? [] : [`type:${type}`]), ...new Set(tags.map((tag) => `tag:${tag}`))];
}
