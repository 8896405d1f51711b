import type {
  IndexSearchResult,
  SearchIndexReads,
  SearchIndexWrites,
} from '@catalog/core/ports/search-index';
import type { Reads, Run } from '../../shared/queries.ts';
import { browse } from './browse.ts';
import { scoreDocuments } from './documents.ts';
import { getIndexing, setIndexing } from './indexing.ts';
import { searchWords } from './words.ts';
import { putDocuments, removeDocuments, renewDocuments } from './writes.ts';
import type { Transaction } from '../../shared/queries.ts';
import { forgetWaiting } from '../vectors/waiting-removals.ts';

/**
 * Creates the search reads. Weights and candidates come from separate snapshots: an ingest between them may shift a
 * score slightly.
 */
export function searchReads({ run }: Pick<Reads, 'run'>): SearchIndexReads {
  return {
    search: (tenant, layers, query): Promise<IndexSearchResult> =>
      run(tenant, (queries) =>
        query.query.trim() === ''
          ? browse(queries, tenant, layers, query)
          : searchWords(queries, tenant, layers, query),
      ),
    scoreDocuments: (tenant, terms, documents) =>
      run(tenant, (queries) => scoreDocuments(queries, tenant, terms, documents)),
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
      transaction.announce();
    },
    async removeDocuments(tenant, layer, ids) {
      if (ids.length === 0) return;
      await run(tenant, async (queries) => {
        await removeDocuments(queries, { tenant, layer }, ids);
        await forgetWaiting(queries, tenant, 'artifact', layer, ids);
      });
      await transaction.touchLayer(tenant, layer);
      transaction.announce();
    },
    getIndexing: (tenant) => run(tenant, (queries) => getIndexing(queries, tenant)),
    setIndexing: (tenant, indexing) =>
      run(tenant, (queries) => setIndexing(queries, tenant, indexing)),
    renewDocuments: (tenant, layer, documents) =>
      run(tenant, (queries) => renewDocuments(queries, { tenant, layer }, documents)),
  };
}
