import type { LayerStack } from './versions.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** Document in the search index, which contains only listed heads. */
export interface SearchDocument {
  id: string;
  type: string;
  tags: readonly string[];
  name: string;
  description: string;
  when_to_use: readonly string[];
  target_harnesses?: readonly string[];
}

/** Search query; empty members match everything. */
export interface SearchQuery {
  query: string;
  type: string;
  tags: readonly string[];
  /** Path of an artifact or of a domain. */
  scope: string;
  /** Layer that must serve the result; absent for all. Statistics still cover the whole view. */
  layer?: LayerNumber;
  /** A target harness, or `ANY_HARNESS` for artifacts without one. */
  harness?: string;
  top_k: number;
}

export interface DocumentKey {
  layer: LayerNumber;
  id: string;
}

export interface SearchHit extends DocumentKey {
  /** BM25 score with the statistics of the given layers; 0 without a query. */
  score: number;
}

export interface SearchedTerm {
  term: string;
  /** Rarity of the term, in the units of `core/search/bm25`. */
  rarity: number;
  /** Word of the query that the term replaces; undefined for the word itself. */
  for: string | undefined;
}

export interface ScoredDocument extends SearchHit {
  matched: readonly string[];
}

export interface IndexSearchResult {
  /** Results, best first; ties by precedence and id. Without a query, by id. */
  hits: SearchHit[];
  terms: readonly SearchedTerm[];
  /**
   * Maximum possible BM25 score of the query (SPEC-52); 0 without a query. Only documents with several replacements of
   * a word can exceed it.
   */
  bound: number;
  /** True if a document of the view has a word of the query, regardless of filters. */
  is_known: boolean;
  total_matched: number;
  /** True if not all candidates were read, so that the count is a lower bound (SPEC-97). */
  total_estimated: boolean;
}

export interface SearchIndexReads {
  /** Finds the best documents of a view, without those that a higher layer hides. */
  search(tenant: Tenant, layers: LayerStack, query: SearchQuery): Promise<IndexSearchResult>;
  /** Computes the scores of documents with the terms of an earlier result, in any order. Omits removed documents. */
  scoreDocuments(
    tenant: Tenant,
    terms: readonly SearchedTerm[],
    documents: readonly DocumentKey[],
  ): Promise<ScoredDocument[]>;
}

export interface Indexing {
  /** Term extractions of existing documents; the last one applies to new documents. */
  kinds: readonly string[];
  /** Progress of a renewal: documents before this key use the last extraction. */
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
  /** Sets the term extraction for new documents. Existing ones must be renewed. */
  setIndexing(tenant: Tenant, indexing: Indexing): Promise<void>;
  /** Rebuilds the terms of documents; their vectors stay. */
  renewDocuments(
    tenant: Tenant,
    layer: LayerNumber,
    documents: readonly SearchDocument[],
  ): Promise<void>;
}
