import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { EmbeddedKind, VectorModel } from './vector-index.ts';

export interface ModelRecord extends VectorModel {
  /** True if its vectors are stored outside of the store, which must be notified of removals. */
  external: boolean;
  /** True after every document that existed when the model was added has a vector. */
  ready: boolean;
  /** Last time at which a process reported that it is configured to use the model. */
  wanted_at: string;
}

export interface PendingEmbedding {
  tenant: Tenant;
  layer: LayerNumber;
  kind: EmbeddedKind;
  id: string;
  /** Increases with every change. A vector of an older stamp does not finish the entry. */
  stamp: number;
  attempts: number;
  /** True if the document is gone and an external store must remove its vector. */
  removed: boolean;
}

export type PendingKey = Pick<PendingEmbedding, 'layer' | 'kind' | 'id' | 'stamp'>;

export type ReembedSelection =
  | { kind: 'all' }
  | { kind: 'missing'; since?: string | undefined }
  | { kind: 'since'; since: string }
  | { kind: 'ids'; ids: readonly string[] };

export const RUN_ATTEMPTS = 3;

export interface ReembedRun {
  run: string;
  total: number;
  /** Number of pending artifacts that do not yet count as failed. */
  remaining: number;
  failures: readonly { layer: LayerNumber; id: string; reason: string }[];
  created_at: string;
}

export interface EmbeddingReads {
  listModels(): Promise<ModelRecord[]>;
  countWaiting(model: string): Promise<{ waiting: number; oldest_at: string | null }>;
  listWaitingOf(
    tenant: Tenant,
    model: string,
    documents: readonly { layer: LayerNumber; id: string }[],
  ): Promise<{ layer: LayerNumber; id: string; attempts: number; reason: string | null }[]>;
  getRun(tenant: Tenant, run: string): Promise<ReembedRun | undefined>;
}

/**
 * Documents become pending for every model in the transaction that puts them. A worker claims some,
 * stores their vectors, and finishes them. These writes run in their own transactions.
 */
export interface Embeddings extends EmbeddingReads {
  /** More than one if other servers do the writes. */
  parallel: number;
  /**
   * Makes all documents pending for a new model, else only updates `wanted_at`. Rejects a known name
   * with other dimensions.
   */
  addModel(model: VectorModel & { external: boolean; now: string }): Promise<ModelRecord>;
  markReady(model: string): Promise<void>;
  dropModel(model: string): Promise<void>;
  /** Claims entries whose pause is over, the oldest first. */
  claimWaiting(claim: {
    model: string;
    now: string;
    until: string;
    limit: number;
  }): Promise<PendingEmbedding[]>;
  listUnchanged<Key extends PendingKey>(
    tenant: Tenant,
    model: string,
    keys: readonly Key[],
  ): Promise<Key[]>;
  /** Finishes the entries that have not changed since they were claimed. */
  finishWaiting(tenant: Tenant, model: string, done: readonly PendingKey[]): Promise<void>;
  postponeWaiting(
    tenant: Tenant,
    model: string,
    failed: readonly (PendingKey & { reason: string; not_before: string })[],
  ): Promise<void>;
  releaseWaiting(tenant: Tenant, model: string, keys: readonly PendingKey[]): Promise<void>;
  startRun(
    tenant: Tenant,
    model: string,
    run: { run: string; selection: ReembedSelection; now: string },
  ): Promise<ReembedRun>;
}
