import type { Tenant } from './tenant.ts';

/** Version whose content an administrator removed. Its ledger row stays (SPEC-20). */
export interface PurgeRecord {
  layer_id: string;
  id: string;
  version: string;
  /** Hash of the removed content. */
  content_hash: string;
  reason: string;
  purged_by: string;
  purged_at: string;
  /** Hashes of objects that are not yet removed from the object store. */
  pending_objects: readonly string[];
}

export interface PurgeReads {
  /** Lists the purged versions of some artifacts of a layer. */
  list(tenant: Tenant, layer_id: string, ids: readonly string[]): Promise<PurgeRecord[]>;
  /** Lists purged versions with pending objects. */
  listPending(tenant: Tenant): Promise<PurgeRecord[]>;
  /** Returns the time of the last purge in each layer with one. */
  listLast(tenant: Tenant): Promise<{ layer_id: string; purged_at: string }[]>;
}

export interface PurgeWrites extends PurgeReads {
  /** Stores records, or replaces those of the same versions. */
  put(tenant: Tenant, records: readonly PurgeRecord[]): Promise<void>;
}
