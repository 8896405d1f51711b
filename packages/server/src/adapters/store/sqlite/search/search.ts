import type {
  IndexSearchResult,
  SearchIndexReads,
  SearchIndexWrites,
  SearchQuery,
} from '@catalog/core/ports/search-index';
import type { Run } from '../connection/connection.ts';
import { markPending, forgetVectors } from '../vectors/embedding-waiting.ts';
import type { PostingsCache } from './postings-cache.ts';
import { browse } from './browse.ts';
import { scoreDocuments } from './documents.ts';
import { getIndexing, setIndexing } from './indexing.ts';
import type { Search } from './rows.ts';
import { createViewFinder } from './view.ts';
import { searchWords } from './words.ts';
import { putDocuments, removeDocuments, renewDocuments } from './writes.ts';
import type { Transaction } from '../transaction.ts';

export function searchReads(run: Run, kept?: PostingsCache): SearchIndexReads {
  const findView = createViewFinder();
  return {
    search: (tenant, layers, query) =>
      run((connection) => {
        const view = findView(connection, tenant, layers);
        return answer({ connection, tenant, layers, view, kept }, query);
      }),
    scoreDocuments: (tenant, terms, documents) =>
      run((connection) => scoreDocuments(connection, tenant, terms, documents)),
  };
}

export function searchWrites(transaction: Transaction): SearchIndexWrites {
  const { run } = transaction;
  return {
    ...searchReads(run),
    async putDocuments(tenant, layer, documents) {
      if (documents.length === 0) return;
      await putDocuments(run, { tenant, layer }, documents);
      transaction.notePostings({ tenant, layer });
      const ids = documents.map(({ id }) => id);
      await markPending(transaction, { tenant, layer, kind: 'artifact' }, ids);
      await transaction.touchLayer(tenant, layer);
    },
    async removeDocuments(tenant, layer, ids) {
      if (ids.length === 0) return;
      await forgetVectors(transaction, { tenant, layer, kind: 'artifact' }, ids);
      await removeDocuments(run, { tenant, layer }, ids);
      transaction.notePostings({ tenant, layer });
      await transaction.touchLayer(tenant, layer);
    },
    getIndexing: (tenant) => run((connection) => getIndexing(connection, tenant)),
    setIndexing: (tenant, indexing) =>
      run((connection) => setIndexing(connection, tenant, indexing)),
    async renewDocuments(tenant, layer, documents) {
      await renewDocuments(run, { tenant, layer }, documents);
      transaction.notePostings({ tenant, layer });
    },
  };
}

function answer(search: Search, query: SearchQuery): IndexSearchResult {
  if (query.query.trim() === '') return browse(search, query);
  return searchWords(search, query);
}
