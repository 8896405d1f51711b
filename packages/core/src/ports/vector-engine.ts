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
  /** Empty for a domain. */
  type: string;
  tags: readonly string[];
}

/** Empty members have no effect. */
export interface EngineQuery {
  kind: EmbeddedKind;
  layers: LayerStack;
  meaning: EngineInput;
  type: string;
  tags: readonly string[];
  /** Path of a point, or of a domain whose points match. */
  scope: string;
  /** Restricts the query to these points, if not empty. */
  keys: readonly PointKey[];
  /** Number of results, limited to `MOST_NEAREST`. */
  top_k: number;
}

export interface EngineHit extends PointKey {
  /** Cosine, with the precision of the engine. */
  similarity: number;
}

export interface Collection {
  /** Undefined if the first vector determines the dimensions. */
  dimensions: number | undefined;
}

/** Maximum number of results that every engine supports. */
export const MAX_NEAREST = 1000;

/**
 * Has one collection, in which the points of tenants and models are separate. Throws
 * `search.vector_engine_failed` if it does not respond or rejects a request.
 */
export interface VectorEngine {
  name: string;
  batch_size: number;
  /** Throws `config.invalid` if the collection does not exist or does not compare by cosine. */
  check(signal?: AbortSignal): Promise<Collection>;
  /** Adds or replaces points. Rejects vectors whose dimensions differ from the collection's. */
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
  /** Returns the nearest points, the nearest first. */
  query(
    tenant: Tenant,
    model: string,
    query: EngineQuery,
    signal?: AbortSignal,
  ): Promise<EngineHit[]>;
}
