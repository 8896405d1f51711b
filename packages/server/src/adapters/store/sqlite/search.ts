import type {
  SearchAnswer,
  SearchIndexReads,
  SearchIndexWrites,
  SearchQuery,
} from '@catalog/core/ports/search-index';
import { queryTerms } from '@catalog/core/search/query-terms';
import type { Run } from './connection.ts';
import { browse } from './search-browse.ts';
import type { Search } from './search-rows.ts';
import { createViewFinder } from './search-view.ts';
import { searchWords } from './search-words.ts';
import { putDocuments, removeDocuments } from './search-writes.ts';
import type { Transaction } from './transaction.ts';

export function searchReads(run: Run): SearchIndexReads {
  const findView = createViewFinder();
  return {
    search: (tenant, layers, query) =>
      run((connection) => {
        const view = findView(connection, tenant, layers);
        return answer({ connection, tenant, layers, view }, query);
      }),
  };
}

export function searchWrites(transaction: Transaction): SearchIndexWrites {
  const { run } = transaction;
  return {
    ...searchReads(run),
    async putDocuments(tenant, layer, documents) {
      if (documents.length === 0) return;
      await putDocuments(run, { tenant, layer }, documents);
      await transaction.touchLayer(tenant, layer);
    },
    async removeDocuments(tenant, layer, ids) {
      if (ids.length === 0) return;
      await removeDocuments(run, { tenant, layer }, ids);
      await transaction.touchLayer(tenant, layer);
    },
  };
}

function answer(search: Search, query: SearchQuery): SearchAnswer {
  if (query.query.trim() === '') return browse(search, query);
  return searchWords(search, queryTerms(query.query), query);
}
