import type { SearchDocument } from '@catalog/core/ports/search-index';

export interface SearchSet {
  name: string;
  documents: readonly SearchDocument[];
  queries: readonly SetQuery[];
}

export interface SetQuery {
  query: string;
  relevant: ReadonlySet<string>;
}

/**
 * An artifact needs a name. All documents have this one and no query contains it, so it does not
 * affect the ranking.
 */
const ANY_NAME = 'n';

export function namelessDocument(number: number, description: string): SearchDocument {
  return {
    id: `n${number}`,
    type: 'context',
    tags: [],
    name: ANY_NAME,
    description,
    when_to_use: [],
  };
}
