import type { LayerStack } from './versions.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** Only indexed heads that are not deprecated are included. */
export interface SearchDocument {
  id: string;
  type: string;
  tags: readonly string[];
  name: string;
  description: string;
  when_to_use: readonly string[];
  target_harnesses?: readonly string[];
}

/** Empty members have no effect. */
export interface SearchQuery {
  query: string;
  type: string;
  tags: readonly string[];
  /** Path of an artifact, or of a domain whose artifacts match. */
  scope: string;
  /**
   * Layer that must serve the artifact; any layer if absent. Ranking statistics still cover every
   * layer of the view.
   */
  layer?: LayerNumber;
  /** A name in `target_harnesses`, or `ANY_HARNESS` for artifacts without target harnesses. */
  harness?: string;
  top_k: number;
}

export interface DocumentKey {
  layer: LayerNumber;
  id: string;
}

export interface SearchHit extends DocumentKey {
  /** BM25 score, with statistics of the given layers only; 0 without a query. */
  score: number;
}

export interface SearchedTerm {
  term: string;
  /** Rarity in the units of `core/search/bm25`. */
  rarity: number;
  /** Word of the query that the term replaces; undefined if it is the word's own term. */
  for: string | undefined;
}

export interface ScoredDocument extends SearchHit {
  matched: readonly string[];
}

export interface IndexSearchResult {
  /** Best first; ties by precedence, then id. Without a query, by id. */
  hits: SearchHit[];
  terms: readonly SearchedTerm[];
  /**
   * BM25 score of a document that has every word of the query at its maximum impact (SPEC-52); 0
   * without a query. Only a document with several replacement terms of one word may exceed it.
   */
  bound: number;
  /** True if any document of the view has a word of the query, regardless of filters. */
  is_known: boolean;
  total_matched: number;
  /** True if candidates were cut, so that the count is a lower bound (SPEC-97). */
  total_estimated: boolean;
}

export interface SearchIndexReads {
  /**
   * Finds the best documents of the composed view, which excludes documents that a higher layer
   * replaces.
   */
  search(tenant: Tenant, layers: LayerStack, query: SearchQuery): Promise<IndexSearchResult>;
  /** Scores with the terms of an earlier result, in no particular order. Skips removed documents. */
  scoreDocuments(
    tenant: Tenant,
    terms: readonly SearchedTerm[],
    documents: readonly DocumentKey[],
  ): Promise<ScoredDocument[]>;
}

export interface Indexing {
  /** All kinds that documents may still use. New documents use the last. */
  kinds: readonly string[];
  /**
   * Progress if there are several kinds: documents before this key, by layer and then id, use the
   * last kind.
   */
  renewed_before: DocumentKey;
}

export interface SearchIndexWrites extends SearchIndexReads {
  putDocuments(
    tenant: Tenant,
    layer: LayerNumber,
    documents: readonly SearchDocument[],
  ): Promise<void>;
  removeDocuments(tenant: Tenant, layer: LayerNumber, ids: readonly string[]): Promise<void>;
  getIndexing(tenant: Tenant): Promise<Indexing>;
  /** Sets the term method of documents that are put from now on. Existing documents must be renewed. */
  setIndexing(tenant: Tenant, indexing: Indexing): Promise<void>;
  /** Rebuilds the terms of documents. All other data, including their vectors, stays. */
  renewDocuments(
    tenant: Tenant,
    layer: LayerNumber,
    documents: readonly SearchDocument[],
  ): Promise<void>;
}
