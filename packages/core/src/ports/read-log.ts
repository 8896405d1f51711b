import type { Tenant } from './tenant.ts';

/** Kind of read record. */
export type ReadType =
  | 'artifact.loaded'
  | 'manifest.synced'
  | 'catalog.searched'
  | 'request.refused';

/** A read, at most once per subject, version and minute of a process. */
export interface ReadRecord {
  type: ReadType;
  /** Start of the minute, in UTC. */
  minute: string;
  /** `caller.identity` and `caller.kind` of audit records. */
  subject: string;
  caller_kind: string;
  salt: string;
  /** SHA-256 of salt and subject, in hex. Stays when an erasure replaces both. */
  commitment: string;
  /** Id of the artifact; empty for other types. */
  artifact: string;
  version: string;
  layer: string;
  name: string;
  tags: readonly string[];
  /** Query of a search, or operation of a refused request. */
  detail: string;
}

export interface NumberedRead extends ReadRecord {
  position: number;
}

/** Empty filters match everything. */
export interface ReadFilter {
  artifact: string;
  subject: string;
}

/** State of the read log of a tenant. */
export interface ReadLogState {
  /** Position of the newest record; 0 if there is none. */
  position: number;
  /** Last position that a fact record covers with a digest. */
  sealed: number;
  sealed_at: string | null;
}

/** Process with records that it has not stored yet. */
export interface ReadWriter {
  process: string;
  last_batch_at: string;
}

export interface ReadLogReads {
  /** Lists records before a position, newest first; from the end if the position is undefined. */
  listNewest(
    tenant: Tenant,
    filter: ReadFilter,
    before: number | undefined,
    limit: number,
  ): Promise<NumberedRead[]>;
  /** Lists records after a position, oldest first. Positions have no gaps and follow commit order. */
  list(tenant: Tenant, after: number, limit: number): Promise<NumberedRead[]>;
  state(tenant: Tenant): Promise<ReadLogState>;
  listWriters(): Promise<ReadWriter[]>;
}

/** Runs without the tenant's lock, so that an ingest does not delay reads. */
export interface ReadLogWrites extends ReadLogReads {
  append(tenant: Tenant, records: readonly ReadRecord[]): Promise<void>;
  /** Returns false if another process has sealed records since `from`. */
  seal(tenant: Tenant, range: { from: number; to: number; at: string }): Promise<boolean>;
  putWriter(writer: ReadWriter): Promise<void>;
  /** Returns false if the writer does not exist. */
  removeWriter(process: string): Promise<boolean>;
  /** Deletes sealed records from before a time, oldest first. Returns how many were deleted. */
  prune(tenant: Tenant, before: string, max_deleted: number): Promise<number>;
}
