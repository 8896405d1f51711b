import type { DocumentKey, IndexSearchResult, SearchQuery } from './search-index.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { LayerStack } from './versions.ts';

/** Vectors of different models are stored separately and never compared. */
export interface VectorModel {
  name: string;
  dimensions: number;
}

/** An artifact by its id, or the domain content of a layer by its path. */
export type EmbeddedKind = 'artifact' | 'domain';

export interface VectorSetKey {
  layer: LayerNumber;
  kind: EmbeddedKind;
  model: string;
}

export interface IdVector {
  id: string;
  vector: Float32Array;
}

export interface QueryVector {
  model: string;
  vector: Float32Array;
}

export interface VectorQuery extends QueryVector, Omit<SearchQuery, 'query'> {}

export interface VectorHit extends DocumentKey {
  /** Cosine, with the precision of the engine. */
  similarity: number;
}

export interface DomainVectorHit {
  path: string;
  /** Similarity to the nearest content of all layers. */
  similarity: number;
}

export interface FusedHit extends DocumentKey {
  score: number;
  /** BM25 score; 0 if found by vector similarity only. */
  lexical: number;
  /** Undefined without a vector, or if the vector search failed. */
  similarity: number | undefined;
}

export interface FusedSearchResult extends Omit<IndexSearchResult, 'hits'> {
  /** Best first; ties by precedence, then id. Without a query, by id. */
  hits: FusedHit[];
}

/** The scores are combined as in `core/search/fuse`. */
export interface FusedQuery extends SearchQuery {
  asked: QueryVector;
  /** Maximum number of results found by vector similarity only, if their cosine reaches the floor. */
  most_near: number;
  floor: number;
}

/** Replacing or removing a document removes its vector. Documents without one are not found here. */
export interface VectorIndex {
  /** Idempotent. Rejects a known name with other dimensions. */
  addModel(model: VectorModel): Promise<void>;
  dropModel(name: string): Promise<void>;
  /** Ignores ids without a document or `DOMAIN.md`. */
  putVectors(tenant: Tenant, shelf: VectorSetKey, vectors: readonly IdVector[]): Promise<void>;
  removeVectors(tenant: Tenant, shelf: VectorSetKey, ids: readonly string[]): Promise<void>;
  countVectors(tenant: Tenant, model: string): Promise<number>;
  /** Builds an index, which may take minutes. Call after many vectors were put. */
  settle(model: string): Promise<void>;
  /**
   * Returns the nearest documents of the composed view, the nearest first; ties by precedence, then
   * id.
   */
  searchVectors(tenant: Tenant, layers: LayerStack, query: VectorQuery): Promise<VectorHit[]>;
  /** Searches both arms in one pass, if the engine can. Returns undefined if temporarily impossible. */
  searchFused?(
    tenant: Tenant,
    layers: LayerStack,
    query: FusedQuery,
  ): Promise<FusedSearchResult | undefined>;
  /** Returns similarities in no particular order. Skips documents without a vector. */
  compareVectors(
    tenant: Tenant,
    asked: QueryVector,
    documents: readonly DocumentKey[],
  ): Promise<VectorHit[]>;
  /** Returns the nearest domains with content first; ties by path. */
  searchDomainVectors(
    tenant: Tenant,
    layers: LayerStack,
    query: QueryVector & { scope: string; top_k: number },
  ): Promise<DomainVectorHit[]>;
}
