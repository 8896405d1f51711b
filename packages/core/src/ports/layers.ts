import type { ComposableLayer } from '../layer/compose-layers.ts';
import type { LayerNumber } from './layer-number.ts';
import type { Tenant } from './tenant.ts';

/** A layer as the registry keeps it. Texts that were not given are empty. */
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
  /** The commit of the latest completed ingest; null for a folder. */
  last_ingested_ref: string | null;
  webhook_secret: string;
  /** The opaque part of its webhook's address; finds tenant and layer (SPEC-5). */
  webhook_key: string;
  /** What the source adapter wants to be told at the next read; opaque to everybody else. */
  source_state: string | null;
  /** Rises with every change of what the layer serves. */
  revision: number;
}

/** A layer that is about to get its number. */
export type NewLayer = Omit<LayerRecord, 'number' | 'revision'>;

/** What a completed ingest leaves on its layer, whether it found anything new or not. */
export type IngestMark = Pick<
  LayerRecord,
  'last_ingested_at' | 'last_ingested_ref' | 'source_state'
>;

export interface LayerReads {
  /** Live or soft-deleted. */
  get(tenant: Tenant, id: string): Promise<LayerRecord | undefined>;
  /** Every live layer, in no particular order. */
  list(tenant: Tenant): Promise<LayerRecord[]>;
  /** Every soft-deleted layer still kept, also those whose id passed to another holder. */
  listDeleted(tenant: Tenant): Promise<LayerRecord[]>;
  /** The one search without a tenant: the key of an inbound address finds it. */
  findByWebhookKey(key: string): Promise<{ tenant: Tenant; layer: LayerRecord } | undefined>;
  /**
   * Changes whenever a layer of the tenant or anything it serves changes, but for the mark of its last
   * ingest, and whenever its record, a grant or its directory does; what was derived under one value
   * holds while the value does. Answered without reading what grows.
   */
  revision(tenant: Tenant): Promise<number>;
}

export interface LayerWrites extends LayerReads {
  /**
   * Creates a layer under an id that no layer has. The number and the ledger of a purged layer return
   * only if its holder does; a purged layer whose holder is unknown counts as the same holder's.
   */
  create(tenant: Tenant, layer: NewLayer): Promise<LayerRecord>;
  /**
   * Frees the id of a layer for another holder: soft-deletes the layer, unless it is already, under
   * `replacedLayerId`, and moves its ledger there.
   */
  setAside(tenant: Tenant, layer: LayerRecord, now: string): Promise<void>;
  /** Replaces the record of `layer.number`; its revision is kept. */
  replace(tenant: Tenant, layer: LayerRecord): Promise<void>;
  /** No revision rises: what a layer serves does not depend on when it was last looked at. */
  noteIngest(tenant: Tenant, number: LayerNumber, mark: IngestMark): Promise<void>;
  /** Counts the copy of a layer's source as storage; a layer that is soft-deleted has none. */
  noteCopy(tenant: Tenant, number: LayerNumber, bytes: number): Promise<void>;
  /** Raises the revision after a change of what the layer serves. */
  touch(tenant: Tenant, number: LayerNumber): Promise<void>;
  /** The layer and all it held, but for the ledger and the name of its holder (SPEC-7, SPEC-85). */
  purge(tenant: Tenant, number: LayerNumber): Promise<void>;
}
