import type { Tenant } from './tenant.ts';

/**
 * Recorded next to the objects because a registry and `catalog admin` share them, while only one
 * process can write to a SQLite file.
 */
export const MAINTENANCE_RUNS = ['backup', 'verification'] as const;
export type MaintenanceRun = (typeof MAINTENANCE_RUNS)[number];

export interface Objects {
  /** True if the processes of a registry share the objects, as in a bucket. */
  is_shared: boolean;
  /** Stores content durably and verifies it before it returns. Idempotent. */
  put(tenant: Tenant, content_hash: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  size(tenant: Tenant, content_hash: string, signal?: AbortSignal): Promise<number | undefined>;
  /**
   * Returns undefined if the object does not exist. The stream fails with `DamagedObject` before its
   * end if the hash differs, so that a caller never treats damaged content as complete.
   */
  open(
    tenant: Tenant,
    content_hash: string,
    signal?: AbortSignal,
  ): Promise<{ size: number; stream: ReadableStream<Uint8Array> } | undefined>;
  /** Returns undefined if clients must fetch the object from the registry. */
  presign(
    tenant: Tenant,
    content_hash: string,
    as: ObjectDelivery,
  ): Promise<PresignedAddress | undefined>;
  /** Lists a page of a tenant's objects after `after`, ordered by hash. */
  list(
    tenant: Tenant,
    page: { after: string; limit: number },
    signal?: AbortSignal,
  ): Promise<ObjectRecord[]>;
  remove(tenant: Tenant, content_hash: string, signal?: AbortSignal): Promise<void>;
  getOwner(signal?: AbortSignal): Promise<string | undefined>;
  /** Records the owner durably and returns it. With `replace: false`, an existing owner stays. */
  setOwner(identity: string, options: { replace: boolean }, signal?: AbortSignal): Promise<string>;
  /**
   * Returns the time of the last success of a maintenance run, in RFC 3339, or undefined if none is
   * recorded.
   */
  getLastRun(run: MaintenanceRun, signal?: AbortSignal): Promise<string | undefined>;
  setLastRun(run: MaintenanceRun, time: string, signal?: AbortSignal): Promise<void>;
  probe(signal?: AbortSignal): Promise<void>;
}

export interface ObjectDelivery {
  /** A path is shortened to its last segment. */
  file_name: string;
  media_type: string;
}

export interface PresignedAddress {
  url: string;
  expires_at: Date;
}

export interface ObjectRecord {
  content_hash: string;
  size: number;
  stored_at: Date;
}
