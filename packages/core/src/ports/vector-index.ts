import type { SearchQuery } from './search-index.ts';
import type { Tenant } from './tenant.ts';
import type { LayerStack } from './versions.ts';

/** What makes vectors of texts. Vectors of different models stand side by side and are never compared. */
export interface VectorModel {
  name: string;
  dimensions: number;
}

/** What a searched artifact means to a model: a vector of unit length. */
export interface ArtifactVector {
  id: string;
  vector: readonly number[];
}

/** What is asked; empty members ask nothing. */
export interface VectorQuery extends Omit<SearchQuery, 'query'> {
  /** The name of the model that made `vector`. */
  model: string;
  /** Of unit length. */
  vector: readonly number[];
}

export interface VectorHit {
  layer: number;
  id: string;
  /** The cosine of the angle between the two vectors, as exact as the engine keeps them. */
  similarity: number;
}

/**
 * Vectors of the documents of the search index. A vector goes with its document: one that is replaced or
 * removed leaves none behind, and one that has no vector yet is not found here.
 */
export interface VectorIndex {
  /** Makes room for a model; again changes nothing. Refuses a known name with other dimensions. */
  addModel(model: VectorModel): Promise<void>;
  /** Adds or replaces vectors of a layer; of ids without a document nothing is kept. */
  putVectors(
    tenant: Tenant,
    layer: number,
    model: string,
    vectors: readonly ArtifactVector[],
  ): Promise<void>;
  removeVectors(
    tenant: Tenant,
    layer: number,
    model: string,
    ids: readonly string[],
  ): Promise<void>;
  /** How many vectors a tenant has of a model. */
  countVectors(tenant: Tenant, model: string): Promise<number>;
  /**
   * To be called when many vectors were put: searches among more of them than can be compared one by one
   * use an index that is made here, which may take minutes.
   */
  settle(model: string): Promise<void>;
  /** The nearest documents of the composed view, the nearest first; ties by precedence, then id. */
  searchVectors(tenant: Tenant, layers: LayerStack, query: VectorQuery): Promise<VectorHit[]>;
}
