import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';
import type { EmbeddedKind, VectorModel } from './vector-index.ts';

export interface ModelRecord extends VectorModel {
  /** True if an external engine stores the vectors; it must be notified of removals. */
  external: boolean;
  /** True when all documents that existed at its start have vectors. */
  ready: boolean;
  /** Last time at which a process used the model. */
  wanted_at: string;
}

export interface PendingEmbedding {
  tenant: Tenant;
  layer: LayerNumber;
  kind: EmbeddedKind;
  id: string;
  /** Number that increases with every change. Vectors for an older stamp are ignored. */
  stamp: number;
  attempts: number;
  /** True if the document is gone and an external engine must remove its vector. */
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
  /** Number of pending artifacts, without failed ones. */
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
 * Embeddings. The transaction that stores a document makes it pending for every model. A worker then claims documents
 * and stores their vectors, in separate transactions.
 */
export interface Embeddings extends EmbeddingReads {
  /** Number of concurrent claims; more than one if another server does the writes. */
  parallel: number;
  /**
   * Adds a model, for which all documents become pending, or updates `wanted_at` of a known one. Rejects a known name
   * with other dimensions.
   */
  addModel(model: VectorModel & { external: boolean; now: string }): Promise<ModelRecord>;
  markReady(model: string): Promise<void>;
  dropModel(model: string): Promise<void>;
  /** Claims entries whose pause is over, oldest first. */
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
  /** Finishes entries that have not changed since the claim. */
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
