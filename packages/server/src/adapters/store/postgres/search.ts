import type {
  SearchAnswer,
  SearchIndexReads,
  SearchIndexWrites,
} from '@catalog/core/ports/search-index';
import { queryTerms } from '@catalog/core/search/query-terms';
import type { Reads, Run } from './queries.ts';
import { browse } from './search-browse.ts';
import { searchWords } from './search-words.ts';
import { putDocuments, removeDocuments } from './search-writes.ts';
import type { Transaction } from './transaction.ts';

/**
 * Weights are read before candidates, each of its own moment: an ingest that is committed between them
 * may move a score by what it added, and nothing else.
 */
export function searchReads({ run }: Pick<Reads, 'run'>): SearchIndexReads {
  return {
    search: (tenant, layers, query): Promise<SearchAnswer> =>
      run(tenant, (queries) =>
        query.query.trim() === ''
          ? browse(queries, tenant, layers, query)
          : searchWords(queries, tenant, layers, queryTerms(query.query), query),
      ),
  };
}

export function searchWrites(transaction: Transaction): SearchIndexWrites {
  const run: Run = transaction.run;
  return {
    ...searchReads({ run }),
    async putDocuments(tenant, layer, documents) {
      if (documents.length === 0) return;
      await run(tenant, (queries) => putDocuments(queries, { tenant, layer }, documents));
      await transaction.touchLayer(tenant, layer);
    },
    async removeDocuments(tenant, layer, ids) {
      if (ids.length === 0) return;
      await run(tenant, (queries) => removeDocuments(queries, { tenant, layer }, ids));
      await transaction.touchLayer(tenant, layer);
    },
  };
}
