import type { ComposableLayer } from '../layer/compose-layers.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** Record of a layer; strings without a value are empty. */
export interface LayerRecord extends ComposableLayer {
  number: LayerNumber;
  source_type: 'git' | 'local';
  repo: string;
  ref: string;
  root: string;
  local_path: string;
  owner: string;
  git_provider: string;
  force_push_policy: 'tolerant' | 'strict' | '';
  created_at: string;
  deleted_at: string | null;
  last_ingested_at: string | null;
  /** Commit of the last completed ingest; null for a folder. */
  last_ingested_ref: string | null;
  webhook_secret: string;
  /** Part of the webhook URL that identifies tenant and layer (SPEC-5). */
  webhook_key: string;
  /** State of the source; only its adapter interprets it. */
  source_state: string | null;
  /** Time of the first ingest that a freeze window blocked and that has not run since. */
  frozen_since: string | null;
  /** Number that increases with every change of the content. */
  revision: number;
}

export type NewLayer = Omit<LayerRecord, 'number' | 'revision'>;

export type IngestMark = Pick<
  LayerRecord,
  'last_ingested_at' | 'last_ingested_ref' | 'source_state'
>;

export interface LayerReads {
  /** Returns an active or deleted layer. */
  get(tenant: Tenant, id: string): Promise<LayerRecord | undefined>;
  list(tenant: Tenant): Promise<LayerRecord[]>;
  /** Lists deleted layers, including those whose id now belongs to another owner. */
  listDeleted(tenant: Tenant): Promise<LayerRecord[]>;
  /** Finds a layer by the key in its webhook URL, in any tenant. */
  findByWebhookKey(key: string): Promise<{ tenant: Tenant; layer: LayerRecord } | undefined>;
  /**
   * Returns the tenant's revision, which changes with the content or settings of a layer, and with the tenant's record,
   * grants and directory. Cached data is valid while it is equal.
   */
  revision(tenant: Tenant): Promise<number>;
}

export interface LayerWrites extends LayerReads {
  /** Creates a layer with an unused id. Number and ledger of a purged layer return only to the same owner. */
  create(tenant: Tenant, layer: NewLayer): Promise<LayerRecord>;
  /** Frees an id for another owner: deletes its layer under `replacedLayerId`, with the ledger. */
  setAside(tenant: Tenant, layer: LayerRecord, now: string): Promise<void>;
  /** Replaces the record of a layer but keeps its revision. */
  replace(tenant: Tenant, layer: LayerRecord): Promise<void>;
  /** Records an ingest without a new revision, because its time does not affect the content. */
  noteIngest(tenant: Tenant, number: LayerNumber, mark: IngestMark): Promise<void>;
  /** Records a blocked ingest, or null once an ingest is queued. Raises no revision. */
  noteFrozen(tenant: Tenant, number: LayerNumber, since: string | null): Promise<void>;
  /** Records the size of the local copy of a source; none for a deleted layer. */
  noteCopy(tenant: Tenant, number: LayerNumber, bytes: number): Promise<void>;
  touch(tenant: Tenant, number: LayerNumber): Promise<void>;
  /** Deletes a layer except for its ledger and owner (SPEC-7, SPEC-85). */
  purge(tenant: Tenant, number: LayerNumber): Promise<void>;
}
