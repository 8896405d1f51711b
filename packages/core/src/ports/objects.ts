import type { Tenant } from './tenant.ts';

/**
 * Runs of `catalog admin` whose last success is recorded. The record is next to the objects because a
 * registry and `catalog admin` share them, while only one process can write to a SQLite file.
 */
export const MAINTENANCE_RUNS = ['backup', 'verification'] as const;
export type MaintenanceRun = (typeof MAINTENANCE_RUNS)[number];

/** Bytes too large for a table, by their hash: a folder, or S3. */
export interface Objects {
  /** Whether the processes of a registry share the objects: a bucket, not a directory of each machine. */
  is_shared: boolean;
  /**
   * Durable, and confirmed to be these bytes, when it returns. Storing what is there already is no
   * error, and costs no second upload.
   */
  put(tenant: Tenant, content_hash: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  size(tenant: Tenant, content_hash: string, signal?: AbortSignal): Promise<number | undefined>;
  /**
   * The bytes as a stream, or undefined when there is no such object. They are checked on their way:
   * a stream whose bytes do not have the hash fails with `DamagedObject` before its end, so that nobody
   * takes it for whole.
   */
  open(
    tenant: Tenant,
    content_hash: string,
    signal?: AbortSignal,
  ): Promise<{ size: number; stream: ReadableStream<Uint8Array> } | undefined>;
  /** An address of its own that needs no registry to answer; undefined where the registry serves it. */
  presign(
    tenant: Tenant,
    content_hash: string,
    as: ObjectDelivery,
  ): Promise<PresignedAddress | undefined>;
  /** One page of a tenant's objects in order of their hashes, those after `after`. */
  list(
    tenant: Tenant,
    page: { after: string; limit: number },
    signal?: AbortSignal,
  ): Promise<ObjectRecord[]>;
  /** Removes an object; one that is not there is no error. */
  remove(tenant: Tenant, content_hash: string, signal?: AbortSignal): Promise<void>;
  /** Returns the identity of the metadata store that owns the objects; undefined if none does yet. */
  getOwner(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Records the owner, durably. With `replace: false`, an owner that is recorded already stays. Returns
   * the owner that is recorded afterwards.
   */
  setOwner(identity: string, options: { replace: boolean }, signal?: AbortSignal): Promise<string>;
  /** Returns the time of the last success of a maintenance run, in RFC 3339; undefined if none is recorded. */
  getLastRun(run: MaintenanceRun, signal?: AbortSignal): Promise<string | undefined>;
  /** Records a success, durably. */
  setLastRun(run: MaintenanceRun, time: string, signal?: AbortSignal): Promise<void>;
  /** Throws when the store cannot be used now. */
  probe(signal?: AbortSignal): Promise<void>;
}

/** What whoever fetches an object is told about it. */
export interface ObjectDelivery {
  /** The name it is saved under; a path is shortened to its last part. */
  file_name: string;
  media_type: string;
}

/** An address that answers without a token, for a while. */
export interface PresignedAddress {
  url: string;
  expires_at: Date;
}

/** A stored object. */
export interface ObjectRecord {
  content_hash: string;
  size: number;
  stored_at: Date;
}
