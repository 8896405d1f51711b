import type { SearchExplanation } from '@catalog/contract/records/discovery';
import type { SearchDocument } from '../ports/search-index.ts';
import { DEFAULT_LANGUAGE } from './language.ts';
import { weighTerms } from './weigh-terms.ts';

export function matchedFields(
  { id, name, description, tags, when_to_use }: Omit<SearchDocument, 'type'>,
  matched: readonly string[],
): NonNullable<SearchExplanation['fields']> {
  const texts = {
    id,
    name,
    description,
    tags: tags.join('\n'),
    when_to_use: when_to_use.join('\n'),
  };
  const fields = ['id', 'name', 'description', 'tags', 'when_to_use'] as const;
  return fields.filter((field) => {
    const terms = weighTerms([{ text: texts[field], weight: 1 }], DEFAULT_LANGUAGE);
    return matched.some((term) => terms.has(term));
  });
}
