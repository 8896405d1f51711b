import type { ComposableLayer } from '../layer/compose-layers.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** Strings that were not given are empty. */
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
  /** Commit of the latest completed ingest; null for a folder. */
  last_ingested_ref: string | null;
  webhook_secret: string;
  /** Opaque part of the webhook URL, which identifies tenant and layer (SPEC-5). */
  webhook_key: string;
  /** Opaque to all code except the source adapter. */
  source_state: string | null;
  /** Increases with every change of the served content. */
  revision: number;
}

export type NewLayer = Omit<LayerRecord, 'number' | 'revision'>;

export type IngestMark = Pick<
  LayerRecord,
  'last_ingested_at' | 'last_ingested_ref' | 'source_state'
>;

export interface LayerReads {
  /** Returns an active or soft-deleted layer. */
  get(tenant: Tenant, id: string): Promise<LayerRecord | undefined>;
  list(tenant: Tenant): Promise<LayerRecord[]>;
  /** Lists all soft-deleted layers, including those whose id passed to another holder. */
  listDeleted(tenant: Tenant): Promise<LayerRecord[]>;
  /** Finds a layer by the key of its webhook URL. The only lookup without a tenant. */
  findByWebhookKey(key: string): Promise<{ tenant: Tenant; layer: LayerRecord } | undefined>;
  /**
   * Returns the tenant's revision. It changes with the served content or record of any layer, but not
   * with the mark of the last ingest, and with the tenant's record, grants and directory. Derived data
   * stays valid while the revision is equal.
   */
  revision(tenant: Tenant): Promise<number>;
}

export interface LayerWrites extends LayerReads {
  /**
   * Creates a layer under an unused id. A purged layer's number and ledger return only to its holder,
   * or to any if its holder is unknown.
   */
  create(tenant: Tenant, layer: NewLayer): Promise<LayerRecord>;
  /** Frees the id for another holder: soft-deletes the layer under `replacedLayerId`, with its ledger. */
  setAside(tenant: Tenant, layer: LayerRecord, now: string): Promise<void>;
  /** Replaces the record of `layer.number` but keeps its revision. */
  replace(tenant: Tenant, layer: LayerRecord): Promise<void>;
  /** Raises no revision, because the served content does not depend on the time of the last reading. */
  noteIngest(tenant: Tenant, number: LayerNumber, mark: IngestMark): Promise<void>;
  /** Counts the copy of a layer's source as storage. A soft-deleted layer has none. */
  noteCopy(tenant: Tenant, number: LayerNumber, bytes: number): Promise<void>;
  touch(tenant: Tenant, number: LayerNumber): Promise<void>;
  /** Deletes the layer except for the ledger and the name of its holder (SPEC-7, SPEC-85). */
  purge(tenant: Tenant, number: LayerNumber): Promise<void>;
}
