import type { LayerStack } from './versions.ts';
import type { Tenant } from './tenant.ts';

/** One artifact as the search index takes it: only heads that are indexed and not deprecated. */
export interface SearchDocument {
  id: string;
  type: string;
  tags: readonly string[];
  name: string;
  description: string;
  when_to_use: readonly string[];
}

/** What is asked; empty members ask nothing. */
export interface SearchQuery {
  query: string;
  type: string;
  /** All of them. */
  tags: readonly string[];
  /** A path; the artifact itself or what lies below it. */
  scope: string;
  top_k: number;
}

export interface SearchHit {
  layer: number;
  id: string;
  /** BM25, with statistics of the given layers only; 0 without a query. */
  score: number;
}

export interface SearchAnswer {
  /** Best first; ties by precedence, then id. Without a query, by id. */
  hits: SearchHit[];
  /** The BM25 score no document can reach with this query (decision 52); 0 without a query. */
  bound: number;
  total_matched: number;
  /** The count is an estimate from document frequencies (decision 26). */
  total_estimated: boolean;
}

export interface SearchIndexReads {
  /** The best documents of the composed view: a document under a higher layer's is not in it. */
  search(tenant: Tenant, layers: LayerStack, query: SearchQuery): Promise<SearchAnswer>;
}

export interface SearchIndexWrites extends SearchIndexReads {
  /** Adds or replaces documents of a layer. */
  putDocuments(tenant: Tenant, layer: number, documents: readonly SearchDocument[]): Promise<void>;
  removeDocuments(tenant: Tenant, layer: number, ids: readonly string[]): Promise<void>;
}
