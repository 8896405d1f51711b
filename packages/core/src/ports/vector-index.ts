import type { DocumentKey, SearchAnswer, SearchQuery } from './search-index.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { LayerStack } from './versions.ts';

/** What makes vectors of texts. Vectors of different models stand side by side and are never compared. */
export interface VectorModel {
  name: string;
  dimensions: number;
}

/** What has a vector: an artifact by its id, or what a layer says of a domain, by its path. */
export type EmbeddedKind = 'artifact' | 'domain';

/** Where vectors of one kind stand. */
export interface VectorShelf {
  layer: LayerNumber;
  kind: EmbeddedKind;
  /** The name of the model. */
  model: string;
}

/** What something means to a model: a vector of unit length. */
export interface IdVector {
  /** The id of an artifact or the path of a domain. */
  id: string;
  vector: Float32Array;
}

/** A question in the words of a model. */
export interface AskedVector {
  /** The name of the model that made `vector`. */
  model: string;
  /** Of unit length. */
  vector: Float32Array;
}

/** What is asked; empty members ask nothing. */
export interface VectorQuery extends AskedVector, Omit<SearchQuery, 'query'> {}

export interface VectorHit extends DocumentKey {
  /** The cosine of the angle between the two vectors, as exact as the engine keeps them. */
  similarity: number;
}

export interface DomainVectorHit {
  path: string;
  /** Of what the nearest of the layers says of it. */
  similarity: number;
}

/** A document that was found, with what either arm says of it. */
export interface FusedHit extends DocumentKey {
  score: number;
  /** BM25; 0 where it was found by meaning alone. */
  lexical: number;
  /** Undefined where it has no vector, or the vectors did not answer. */
  similarity: number | undefined;
}

export interface FusedAnswer extends Omit<SearchAnswer, 'hits'> {
  /** Best first; ties by precedence, then id. Without a query, by id. */
  hits: FusedHit[];
}

/** A question by words and meaning at once, whose scores add up as `core/search/fuse` says. */
export interface FusedQuery extends SearchQuery {
  asked: AskedVector;
  /** So many of the nearest are found by meaning alone, if their cosine is at least the floor. */
  most_near: number;
  floor: number;
}

/**
 * Vectors of the documents of the search index and of domains. A vector goes with what it is of: one
 * that is replaced or removed leaves none behind, and one that has no vector yet is not found here.
 */
export interface VectorIndex {
  /** Makes room for a model; again changes nothing. Refuses a known name with other dimensions. */
  addModel(model: VectorModel): Promise<void>;
  /** Removes a model and its vectors; one that is not there is no failure. */
  dropModel(name: string): Promise<void>;
  /** Adds or replaces vectors; of ids without a document or `DOMAIN.md` nothing is kept. */
  putVectors(tenant: Tenant, shelf: VectorShelf, vectors: readonly IdVector[]): Promise<void>;
  removeVectors(tenant: Tenant, shelf: VectorShelf, ids: readonly string[]): Promise<void>;
  /** How many vectors of artifacts a tenant has of a model. */
  countVectors(tenant: Tenant, model: string): Promise<number>;
  /**
   * To be called when many vectors were put: searches among more of them than can be compared one by one
   * use an index that is made here, which may take minutes.
   */
  settle(model: string): Promise<void>;
  /** The nearest documents of the composed view, the nearest first; ties by precedence, then id. */
  searchVectors(tenant: Tenant, layers: LayerStack, query: VectorQuery): Promise<VectorHit[]>;
  /**
   * Both arms in one pass, of an engine that looks at every word and every vector anyway; undefined
   * where it cannot at the moment. Others leave it out, and are asked for each arm.
   */
  searchFused?(
    tenant: Tenant,
    layers: LayerStack,
    query: FusedQuery,
  ): Promise<FusedAnswer | undefined>;
  /** How near the given documents are, in no particular order; those without a vector are left out. */
  compareVectors(
    tenant: Tenant,
    asked: AskedVector,
    documents: readonly DocumentKey[],
  ): Promise<VectorHit[]>;
  /** The nearest domains that the layers say something of, the nearest first; ties by path. */
  searchDomainVectors(
    tenant: Tenant,
    layers: LayerStack,
    query: AskedVector & { scope: string; top_k: number },
  ): Promise<DomainVectorHit[]>;
}
