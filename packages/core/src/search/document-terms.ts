import type { SearchDocument, SearchQuery } from '../ports/search-index.ts';
import type { LayerNumber } from '../ports/layer-number.ts';
import { DEFAULT_LANGUAGE, type SearchLanguage } from './language.ts';
import { weighTerms } from './weigh-terms.ts';

const WEIGHTS = { name: 3, tags: 2, description: 1, when_to_use: 1, id: 1 };

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

export const ANY_HARNESS = '*';

/** Returns the filter terms of a document. They contain a colon, which words never do. */
export function documentFilters(
  { id, type, tags, target_harnesses = [] }: SearchDocument,
  layer: LayerNumber,
): string[] {
  const harnesses = target_harnesses.length === 0 ? [ANY_HARNESS] : new Set(target_harnesses);
  const filters = [
    `type:${type}`,
    `layer:${layer}`,
    ...[...harnesses].map((harness) => `for:${harness}`),
    ...new Set(tags.map((tag) => `tag:${tag}`)),
  ];
  for (let end = id.indexOf('/'); end !== -1; end = id.indexOf('/', end + 1)) {
    filters.push(`in:${id.slice(0, end)}`);
  }
  return filters;
}

export function queryFilters({
  type,
  tags,
  layer,
  harness,
}: Pick<SearchQuery, 'type' | 'tags' | 'layer' | 'harness'>): string[] {
  return [
    ...(type === '' ? [] : [`type:${type}`]),
    ...(layer === undefined ? [] : [`layer:${layer}`]),
    ...(harness === undefined ? [] : [`for:${harness}`]),
    ...new Set(tags.map((tag) => `tag:${tag}`)),
  ];
}
