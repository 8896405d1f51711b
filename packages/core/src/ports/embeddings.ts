import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { EmbeddedKind, VectorModel } from './vector-index.ts';

/** A model the registry keeps vectors of. */
export interface ModelRecord extends VectorModel {
  /** Its vectors are kept outside the store, which must be told what is removed. */
  external: boolean;
  /**
   * Every document there was when it was added has its vector. The first of all models is born so, where
   * there is no document yet.
   */
  ready: boolean;
  /** When a process last said that it is configured to use it. */
  wanted_at: string;
}

/** Something whose vector of a model is to be made, or to be taken away. */
export interface WaitingText {
  tenant: Tenant;
  layer: LayerNumber;
  kind: EmbeddedKind;
  /** The id of an artifact or the path of a domain. */
  id: string;
  /** Rises whenever it changes: what was made of an older one does not end the waiting. */
  stamp: number;
  /** How often it failed. */
  attempts: number;
  /** It is gone; a store outside has to forget it. */
  removed: boolean;
}

export type WaitingKey = Pick<WaitingText, 'layer' | 'kind' | 'id' | 'stamp'>;

/** Which artifacts to embed again. */
export type ReembedSelection =
  | { kind: 'all' }
  /** If `since` is given, only those ingested at that time or later. */
  | { kind: 'missing'; since?: string | undefined }
  | { kind: 'since'; since: string }
  /** Those ids in every layer that holds one. */
  | { kind: 'ids'; ids: readonly string[] };

/** Failed tries after which a run counts something as failed. */
export const RUN_ATTEMPTS = 3;

/** How far a request to embed again has come. */
export interface ReembedRun {
  run: string;
  total: number;
  /** Waiting, and not yet counted as failed. */
  remaining: number;
  /** Tried in vain as often as a run waits for; they are still tried again later. */
  failures: readonly { layer: LayerNumber; id: string; reason: string }[];
  created_at: string;
}

export interface EmbeddingReads {
  listModels(): Promise<ModelRecord[]>;
  /** What waits for a model, over all tenants: for metrics, health and the switch of models. */
  countWaiting(model: string): Promise<{ waiting: number; oldest_at: string | null }>;
  /** Those of the documents that wait for the model, with why the last try failed. */
  listWaitingOf(
    tenant: Tenant,
    model: string,
    documents: readonly { layer: LayerNumber; id: string }[],
  ): Promise<{ layer: LayerNumber; id: string; attempts: number; reason: string | null }[]>;
  getRun(tenant: Tenant, run: string): Promise<ReembedRun | undefined>;
}

/**
 * What waits for its vector. Documents and domains that are put wait from the same transaction on, for
 * every model; who makes vectors claims some, makes them, puts them and ends their waiting. These
 * writes are units of their own.
 */
export interface Embeddings extends EmbeddingReads {
  /** How many claims at a time are faster than one after the other: more than one where others do the writing. */
  parallel: number;
  /**
   * Adds a model, with everything there is waiting for it; a known one is only wanted anew. Refuses a
   * known name with other dimensions, as the vector index does.
   */
  addModel(model: VectorModel & { external: boolean; now: string }): Promise<ModelRecord>;
  /** That all there was has its vector. */
  markReady(model: string): Promise<void>;
  dropModel(model: string): Promise<void>;
  /** Some of what waits and whose pause is over, the longest waiting first; nobody else gets it before `until`. */
  claimWaiting(claim: {
    model: string;
    now: string;
    until: string;
    limit: number;
  }): Promise<WaitingText[]>;
  /** Returns those of the keys that did not change since they were claimed. */
  listUnchanged<Key extends WaitingKey>(
    tenant: Tenant,
    model: string,
    keys: readonly Key[],
  ): Promise<Key[]>;
  /** Ends the waiting of those that did not change meanwhile. */
  finishWaiting(tenant: Tenant, model: string, done: readonly WaitingKey[]): Promise<void>;
  /** Counts a failure, and lets nobody try before `not_before`. */
  postponeWaiting(
    tenant: Tenant,
    model: string,
    failed: readonly (WaitingKey & { reason: string; not_before: string })[],
  ): Promise<void>;
  /** Gives back what was claimed and not tried. */
  releaseWaiting(tenant: Tenant, model: string, keys: readonly WaitingKey[]): Promise<void>;
  /** Lets the selected artifacts wait again, from their first attempt. */
  startRun(
    tenant: Tenant,
    model: string,
    run: { run: string; selection: ReembedSelection; now: string },
  ): Promise<ReembedRun>;
}
