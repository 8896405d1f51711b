import type { SearchDocument } from '@catalog/core/ports/search-index';

/** Documents and questions about them, to judge a search by. */
export interface SearchSet {
  name: string;
  documents: readonly SearchDocument[];
  queries: readonly SetQuery[];
}

/** A question, and the ids that answer it. */
export interface SetQuery {
  query: string;
  relevant: ReadonlySet<string>;
}

/** An artifact has to have a name; one that all have, and nobody asks for, gives no answer away. */
const ANY_NAME = 'n';

/** A document of which only the text is to be found. */
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
