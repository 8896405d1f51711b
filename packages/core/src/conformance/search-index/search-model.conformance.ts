import type {
  DocumentKey,
  ScoredDocument,
  IndexSearchResult,
  SearchDocument,
  SearchQuery,
  SearchedTerm,
} from '../../ports/search-index.ts';
import type { Store } from '../../ports/store.ts';
import type { LayerStack } from '../../ports/versions.ts';
import type { SearchedLayer } from '../../search/reference-search.ts';
import { newHead } from '../samples.conformance.ts';

export interface SearchModel {
  put: (layer: number, documents: readonly SearchDocument[]) => Promise<void>;
  /** Puts heads that search omits: deprecated ones, and those found only by id. */
  putUnsearched: (layer: number, ids: readonly string[]) => Promise<void>;
  remove: (layer: number, ids: readonly string[]) => Promise<void>;
  answer: (layers: LayerStack, query: SearchQuery) => Promise<IndexSearchResult>;
  score: (
    terms: readonly SearchedTerm[],
    documents: readonly DocumentKey[],
  ) => Promise<ScoredDocument[]>;
  view: (layers: LayerStack) => SearchedLayer[];
}

export function createSearchModel(store: Store, tenant: number): SearchModel {
  const held = new Map<number, Map<string, SearchDocument | undefined>>();

  function headsOf(layer: number): Map<string, SearchDocument | undefined> {
    const known = held.get(layer) ?? new Map<string, SearchDocument | undefined>();
    held.set(layer, known);
    return known;
  }

  return {
    async put(layer, documents) {
      const heads = headsOf(layer);
      for (const document of documents) heads.set(document.id, document);
      await store.transaction(async (writes) => {
        await writes.versions.putHeads(
          tenant,
          layer,
          documents.map(({ id, type, tags }) => newHead({ id, layer, type, tags })),
        );
        await writes.search.putDocuments(tenant, layer, documents);
      });
    },
    async putUnsearched(layer, ids) {
      const heads = headsOf(layer);
      for (const id of ids) heads.set(id, undefined);
      await store.transaction(async (writes) => {
        await writes.versions.putHeads(
          tenant,
          layer,
          ids.map((id) => newHead({ id, layer, search_visibility: 'direct-only' })),
        );
        await writes.search.removeDocuments(tenant, layer, ids);
      });
    },
    async remove(layer, ids) {
      const heads = headsOf(layer);
      for (const id of ids) heads.delete(id);
      await store.transaction(async (writes) => {
        await writes.versions.removeHeads(tenant, layer, ids);
        await writes.search.removeDocuments(tenant, layer, ids);
      });
    },
    answer: (layers, query) => store.search.search(tenant, layers, query),
    score: (terms, documents) => store.search.scoreDocuments(tenant, terms, documents),
    view: (layers) =>
      layers.map((number) => ({
        number,
        heads: new Set(headsOf(number).keys()),
        documents: [...headsOf(number).values()].filter((document) => document !== undefined),
      })),
  };
}
