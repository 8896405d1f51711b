import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { EmbeddedKind } from './vector-index.ts';
import type { LayerStack } from './versions.ts';

/** Input of an engine: a unit vector, or a string if the engine embeds texts itself. */
export type EngineInput = { vector: Float32Array } | { text: string };

export interface PointKey {
  layer: LayerNumber;
  kind: EmbeddedKind;
  id: string;
}

export interface EnginePoint extends PointKey {
  meaning: EngineInput;
  /** Artifact type; empty for a domain. */
  type: string;
  tags: readonly string[];
}

/** Query for an engine; empty members match everything. */
export interface EngineQuery {
  kind: EmbeddedKind;
  layers: LayerStack;
  meaning: EngineInput;
  type: string;
  tags: readonly string[];
  /** Path of a point, or of a domain that contains points. */
  scope: string;
  /** Points to select; empty for all. */
  keys: readonly PointKey[];
  /** Number of results, at most `MAX_NEAREST`. */
  top_k: number;
}

export interface EngineHit extends PointKey {
  /** Cosine similarity, with the precision of the engine. */
  similarity: number;
}

export interface Collection {
  /** Number of dimensions; undefined if the first vector determines it. */
  dimensions: number | undefined;
}

/** Maximum number of results that all engines support. */
export const MAX_NEAREST = 1000;

/**
 * External vector engine with one collection, in which tenants and models are separate. Throws
 * `search.vector_engine_failed` if the engine does not respond or rejects a request.
 */
export interface VectorEngine {
  name: string;
  batch_size: number;
  /** Checks the collection. Throws `config.invalid` if it is missing or does not use cosine similarity. */
  check(signal?: AbortSignal): Promise<Collection>;
  /** Stores points. Rejects vectors with other dimensions than the collection. */
  put(
    tenant: Tenant,
    model: string,
    points: readonly EnginePoint[],
    signal?: AbortSignal,
  ): Promise<void>;
  remove(
    tenant: Tenant,
    model: string,
    keys: readonly PointKey[],
    signal?: AbortSignal,
  ): Promise<void>;
  removeModel(model: string, signal?: AbortSignal): Promise<void>;
  count(tenant: Tenant, model: string, kind: EmbeddedKind, signal?: AbortSignal): Promise<number>;
  /** Returns the most similar points first. */
  query(
    tenant: Tenant,
    model: string,
    query: EngineQuery,
    signal?: AbortSignal,
  ): Promise<EngineHit[]>;
}
