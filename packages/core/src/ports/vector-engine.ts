import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { EmbeddedKind } from './vector-index.ts';
import type { LayerStack } from './versions.ts';

/** What something is found by: a vector of unit length, or a text an engine that embeds by itself makes one of. */
export type EngineMeaning = { vector: Float32Array } | { text: string };

/** Which point of a tenant and a model. */
export interface PointKey {
  layer: LayerNumber;
  kind: EmbeddedKind;
  /** The id of an artifact or the path of a domain. */
  id: string;
}

/** What an engine keeps, with what its filters ask for. */
export interface EnginePoint extends PointKey {
  meaning: EngineMeaning;
  /** Empty for a domain. */
  type: string;
  tags: readonly string[];
}

/** What is asked of an engine; empty members ask nothing. */
export interface EngineQuery {
  kind: EmbeddedKind;
  layers: LayerStack;
  meaning: EngineMeaning;
  type: string;
  /** All of them. */
  tags: readonly string[];
  /** A path; the point of that id or those below it. */
  scope: string;
  /** Only these, where it is not empty. */
  keys: readonly PointKey[];
  /** Never more than `MOST_NEAREST` are answered. */
  top_k: number;
}

export interface EngineHit extends PointKey {
  /** The cosine of the angle between the two vectors, as exact as the engine keeps them. */
  similarity: number;
}

/** What an engine says of the collection it was pointed at. */
export interface Collection {
  /** Undefined where the collection takes those of its first vector. */
  dimensions: number | undefined;
}

/** The most points a query answers; what every engine allows. */
export const MOST_NEAREST = 1000;

/**
 * A vector engine outside the registry: one collection, in which the points of tenants and models stand
 * side by side and never meet. Throws `search.vector_engine_failed` where it did not answer or refused.
 */
export interface VectorEngine {
  /** What it is, for a person. */
  name: string;
  /** Points of one call of `put` and `remove` at most. */
  batch_size: number;
  /** Refuses with `config.invalid` a collection that is not there or does not compare by cosine. */
  check(signal?: AbortSignal): Promise<Collection>;
  /** Adds or replaces points; refuses vectors of other dimensions than the collection's. */
  put(
    tenant: Tenant,
    model: string,
    points: readonly EnginePoint[],
    signal?: AbortSignal,
  ): Promise<void>;
  /** Those that are not there are no failure. */
  remove(
    tenant: Tenant,
    model: string,
    keys: readonly PointKey[],
    signal?: AbortSignal,
  ): Promise<void>;
  /** Removes what all tenants have of a model. */
  removeModel(model: string, signal?: AbortSignal): Promise<void>;
  /** How many points of a kind a tenant has of a model. */
  count(tenant: Tenant, model: string, kind: EmbeddedKind, signal?: AbortSignal): Promise<number>;
  /** The nearest points, the nearest first. */
  query(
    tenant: Tenant,
    model: string,
    query: EngineQuery,
    signal?: AbortSignal,
  ): Promise<EngineHit[]>;
}
