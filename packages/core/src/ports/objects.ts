import type { Tenant } from './tenant.ts';

/**
 * Runs that are recorded next to the objects: `catalog admin` can write there, while only one process can write to a
 * SQLite file.
 */
export const MAINTENANCE_RUNS = ['backup', 'verification'] as const;
export type MaintenanceRun = (typeof MAINTENANCE_RUNS)[number];

export interface Objects {
  /** True if all processes of a registry share the objects, as in a bucket. */
  is_shared: boolean;
  /** Stores and verifies content durably. Storing it again has no effect. */
  put(tenant: Tenant, content_hash: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  size(tenant: Tenant, content_hash: string, signal?: AbortSignal): Promise<number | undefined>;
  /**
   * Opens an object; undefined if it does not exist. If the hash differs, the stream fails with `DamagedObject` before
   * its end.
   */
  open(
    tenant: Tenant,
    content_hash: string,
    signal?: AbortSignal,
  ): Promise<{ size: number; stream: ReadableStream<Uint8Array> } | undefined>;
  /** Returns a presigned URL; undefined if clients must fetch the object from the registry. */
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
  /** Removes an object with all its versions, if the store keeps versions. */
  purge(tenant: Tenant, content_hash: string, signal?: AbortSignal): Promise<void>;
  getOwner(signal?: AbortSignal): Promise<string | undefined>;
  /** Sets the owner and returns it. With `replace: false`, an existing owner stays. */
  setOwner(identity: string, options: { replace: boolean }, signal?: AbortSignal): Promise<string>;
  /** Returns the last success of a maintenance run in RFC 3339; undefined if there is none. */
  getLastRun(run: MaintenanceRun, signal?: AbortSignal): Promise<string | undefined>;
  setLastRun(run: MaintenanceRun, time: string, signal?: AbortSignal): Promise<void>;
  probe(signal?: AbortSignal): Promise<void>;
}

export interface ObjectDelivery {
  /** Name of the file; of a path, only the last segment is used. */
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
