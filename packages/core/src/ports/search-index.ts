import type { LayerStack } from './versions.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** One artifact as the search index takes it: only heads that are indexed and not deprecated. */
export interface SearchDocument {
  id: string;
  type: string;
  tags: readonly string[];
  name: string;
  description: string;
  when_to_use: readonly string[];
  /** Harnesses the artifact is for; absent or empty for any. */
  target_harnesses?: readonly string[];
}

/** What is asked; empty members ask nothing. */
export interface SearchQuery {
  query: string;
  type: string;
  /** All of them. */
  tags: readonly string[];
  /** A path; the artifact itself or what lies below it. */
  scope: string;
  /** Layer that serves the artifact; any if absent. Ranking statistics still cover every layer of the view. */
  layer?: LayerNumber;
  /** A harness that `target_harnesses` names, or `ANY_HARNESS` for artifacts that name none. */
  harness?: string;
  top_k: number;
}

/** A document of a layer. */
export interface DocumentKey {
  layer: LayerNumber;
  id: string;
}

export interface SearchHit extends DocumentKey {
  /** BM25, with statistics of the given layers only; 0 without a query. */
  score: number;
}

/** A term that was looked for, and what it counts for in this view. */
export interface SearchedTerm {
  term: string;
  /** In units of `core/search/bm25`. */
  rarity: number;
  /** The word of the query it stands for, where it is not that word's own term. */
  for: string | undefined;
}

/** A document with what it was found by. */
export interface ScoredDocument extends SearchHit {
  /** Those of the terms that it has. */
  matched: readonly string[];
}

export interface SearchAnswer {
  /** Best first; ties by precedence, then id. Without a query, by id. */
  hits: SearchHit[];
  /** What the query became; empty without one. */
  terms: readonly SearchedTerm[];
  /**
   * The BM25 score of a document that has every word of the query at its largest impact (SPEC-52);
   * 0 without a query. Only one that has several of the terms a guessed word stands for may pass it.
   */
  bound: number;
  /** True if a document of the view has a word of the query, whatever the filters leave out. */
  is_known: boolean;
  total_matched: number;
  /** Candidates were cut, so that the count is a lower bound (SPEC-97). */
  total_estimated: boolean;
}

export interface SearchIndexReads {
  /** The best documents of the composed view: a document under a higher layer's is not in it. */
  search(tenant: Tenant, layers: LayerStack, query: SearchQuery): Promise<SearchAnswer>;
  /** What given documents score with the terms of an answer; in no particular order, those that are gone left out. */
  scoreDocuments(
    tenant: Tenant,
    terms: readonly SearchedTerm[],
    documents: readonly DocumentKey[],
  ): Promise<ScoredDocument[]>;
}

/** How terms are made, in kinds of `core/search/index-kind`. */
export interface Indexing {
  /** Every kind that documents may still have; what is put gets its terms by the last. */
  kinds: readonly string[];
  /** Where there are several: what comes before here, by layer and then id, is of the last. */
  renewed_before: DocumentKey;
}

export interface SearchIndexWrites extends SearchIndexReads {
  /** Adds or replaces documents of a layer. */
  putDocuments(
    tenant: Tenant,
    layer: LayerNumber,
    documents: readonly SearchDocument[],
  ): Promise<void>;
  removeDocuments(tenant: Tenant, layer: LayerNumber, ids: readonly string[]): Promise<void>;
  /** How the terms of the tenant's documents and domains are made. */
  getIndexing(tenant: Tenant): Promise<Indexing>;
  /** What is put from now on gets its terms so; what was put before is to be renewed. */
  setIndexing(tenant: Tenant, indexing: Indexing): Promise<void>;
  /** Makes the terms of documents anew; what else is kept of them, their vectors too, stays. */
  renewDocuments(
    tenant: Tenant,
    layer: LayerNumber,
    documents: readonly SearchDocument[],
  ): Promise<void>;
}
