import type { ArchiveReads, ArchiveWrites } from './archive.ts';
import type { AuditReads, AuditWrites } from './audit.ts';
import type { Availability, StoreNotice, StoreServer } from './availability.ts';
import type { DeliveryWrites } from './deliveries.ts';
import type { DirectoryReads, DirectoryWrites } from './directory.ts';
import type { DispatchReads, DispatchWrites } from './dispatches.ts';
import type { DomainReads, DomainWrites } from './domains.ts';
import type { Embeddings } from './embeddings.ts';
import type { GrantReads, GrantWrites } from './grants.ts';
import type { IdentityReads, IdentityWrites } from './identity.ts';
import type { IssuerReads, IssuerWrites } from './issuers.ts';
import type { JobReads, JobWrites } from './jobs.ts';
import type { LayerReads, LayerWrites } from './layers.ts';
import type { Locks } from './locks.ts';
import type { OutboxReads, OutboxWrites } from './outbox.ts';
import type { QuotaLeases } from './quota.ts';
import type { ReceiverReads, ReceiverWrites } from './receivers.ts';
import type { SearchIndexReads, SearchIndexWrites } from './search-index.ts';
import type { SessionReads, SessionWrites } from './sessions.ts';
import type { Tenant } from './tenant.ts';
import type { TenantReads, TenantWrites } from './tenants.ts';
import type { VectorIndex } from './vector-index.ts';
import type { VersionReads, VersionWrites } from './versions.ts';

/** All reads; outside of a transaction, of committed data. */
export interface StoreReads {
  tenants: TenantReads;
  grants: GrantReads;
  directory: DirectoryReads;
  layers: LayerReads;
  versions: VersionReads;
  search: SearchIndexReads;
  domains: DomainReads;
  jobs: JobReads;
  outbox: OutboxReads;
  audit: AuditReads;
  sessions: SessionReads;
  receivers: ReceiverReads;
  dispatches: DispatchReads;
  archive: ArchiveReads;
  identity: IdentityReads;
  issuers: IssuerReads;
}

/** Reads see the writes of the same transaction. */
export interface StoreWrites {
  tenants: TenantWrites;
  grants: GrantWrites;
  directory: DirectoryWrites;
  layers: LayerWrites;
  versions: VersionWrites;
  search: SearchIndexWrites;
  domains: DomainWrites;
  jobs: JobWrites;
  outbox: OutboxWrites;
  audit: AuditWrites;
  sessions: SessionWrites;
  deliveries: DeliveryWrites;
  receivers: ReceiverWrites;
  dispatches: DispatchWrites;
  archive: ArchiveWrites;
  identity: IdentityWrites;
  issuers: IssuerWrites;
}

export interface Store extends StoreReads {
  /** For work that only one process may do at a time, outside of any transaction. */
  locks: Locks;
  quota: QuotaLeases;
  vectors: VectorIndex;
  /** Independent of the storage location of vectors. */
  embeddings: Embeddings;
  /**
   * Runs `work` in one transaction. All its writes are committed and flushed when this returns, or
   * none are; readers do not see them before. May run `work` again after a conflict. While the
   * primary is unavailable, only in-memory data can be written: the choices of sessions.
   */
  transaction<Result>(work: (writes: StoreWrites) => Promise<Result>): Promise<Result>;
  /** Reads from a consistent snapshot. A revision among them identifies the state for caching. */
  together<Result>(tenant: Tenant, work: (reads: StoreReads) => Promise<Result>): Promise<Result>;
  /**
   * Calls the listener at intervals, and after every commit of any process that appended events, queued
   * or finished jobs, made an embedding pending, or replaced a tenant's record. Returns a function that
   * removes the listener.
   */
  onCommit(listener: () => void): () => void;
  /** Returns the time that all processes share: the database's, or this machine's for a file. */
  now(): Date;
  /**
   * Returns the availability for writes. In read-only mode, `transaction` throws
   * `registry.read_only`.
   */
  availability(): Availability;
  onNotice(listener: (notice: StoreNotice) => void): () => void;
  servers(): readonly StoreServer[];
  probe(): Promise<void>;
  close(): Promise<void>;
}
