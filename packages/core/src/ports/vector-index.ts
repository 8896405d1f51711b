import type { DocumentKey, IndexSearchResult, SearchQuery } from './search-index.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { LayerStack } from './versions.ts';

/** Embedding model. Vectors of different models are never compared. */
export interface VectorModel {
  name: string;
  dimensions: number;
}

/** Embedded content: an artifact by its id, or a domain of a layer by its path. */
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
  /** Cosine similarity, with the precision of the engine. */
  similarity: number;
}

export interface DomainVectorHit {
  path: string;
  /** Similarity to the nearest content of all layers. */
  similarity: number;
}

export interface FusedHit extends DocumentKey {
  score: number;
  /** BM25 score; 0 for a document found only by similarity. */
  lexical: number;
  /** Similarity; undefined without a vector, or if the vector search failed. */
  similarity: number | undefined;
}

export interface FusedSearchResult extends Omit<IndexSearchResult, 'hits'> {
  /** Results, best first; ties by precedence and id. Without a query, by id. */
  hits: FusedHit[];
}

/** Query by words and vectors, whose scores are combined as in `core/search/fuse`. */
export interface FusedQuery extends SearchQuery {
  asked: QueryVector;
  /** Maximum number of results found only by similarity, if they reach the floor. */
  most_near: number;
  floor: number;
}

/** Vectors of documents. Replacing or removing a document removes its vector. */
export interface VectorIndex {
  /** Adds a model unless it exists. Rejects a known name with other dimensions. */
  addModel(model: VectorModel): Promise<void>;
  dropModel(name: string): Promise<void>;
  /** Stores vectors. Ignores ids without a document or `DOMAIN.md`. */
  putVectors(tenant: Tenant, shelf: VectorSetKey, vectors: readonly IdVector[]): Promise<void>;
  removeVectors(tenant: Tenant, shelf: VectorSetKey, ids: readonly string[]): Promise<void>;
  countVectors(tenant: Tenant, model: string): Promise<number>;
  /** Builds an index, which may take minutes. Call it after storing many vectors. */
  settle(model: string): Promise<void>;
  /** Returns the nearest documents of a view; ties by precedence and id. */
  searchVectors(tenant: Tenant, layers: LayerStack, query: VectorQuery): Promise<VectorHit[]>;
  /**
   * Searches words and vectors in one pass, if the engine supports it. Returns undefined if that is temporarily
   * impossible.
   */
  searchFused?(
    tenant: Tenant,
    layers: LayerStack,
    query: FusedQuery,
  ): Promise<FusedSearchResult | undefined>;
  /** Returns similarities in any order. Omits documents without a vector. */
  compareVectors(
    tenant: Tenant,
    asked: QueryVector,
    documents: readonly DocumentKey[],
  ): Promise<VectorHit[]>;
  /** Returns the nearest domains with content; ties by path. */
  searchDomainVectors(
    tenant: Tenant,
    layers: LayerStack,
    query: QueryVector & { scope: string; top_k: number },
  ): Promise<DomainVectorHit[]>;
}
