import type { ArchiveReads, ArchiveWrites } from './archive.ts';
import type { ArtifactUsageReads, ArtifactUsageWrites } from './artifact-usage.ts';
import type { AuditReads, AuditWrites } from './audit.ts';
import type { Availability, StoreNotice, StoreServer } from './availability.ts';
import type { DeliveryWrites } from './deliveries.ts';
import type { DirectoryReads, DirectoryWrites } from './directory.ts';
import type { DispatchReads, DispatchWrites } from './dispatches.ts';
import type { DomainReads, DomainWrites } from './domains.ts';
import type { Embeddings } from './embeddings.ts';
import type { FreezeReads, FreezeWrites } from './freezes.ts';
import type { GrantReads, GrantWrites } from './grants.ts';
import type { IdentityReads, IdentityWrites } from './identity.ts';
import type { IssuerReads, IssuerWrites } from './issuers.ts';
import type { JobReads, JobWrites } from './jobs.ts';
import type { KeySetReads, KeySetWrites } from './key-sets.ts';
import type { LayerReads, LayerWrites } from './layers.ts';
import type { Locks } from './locks.ts';
import type { OutboxReads, OutboxWrites } from './outbox.ts';
import type { PurgeReads, PurgeWrites } from './purges.ts';
import type { QuotaLeases } from './quota.ts';
import type { ReadLogReads, ReadLogWrites } from './read-log.ts';
import type { ReceiverReads, ReceiverWrites } from './receivers.ts';
import type { SearchIndexReads, SearchIndexWrites } from './search-index.ts';
import type { SessionReads, SessionWrites } from './sessions.ts';
import type { SignatureReads, SignatureWrites } from './signatures.ts';
import type { Tenant } from './tenant.ts';
import type { TenantReads, TenantWrites } from './tenants.ts';
import type { VectorIndex } from './vector-index.ts';
import type { VersionReads, VersionWrites } from './versions.ts';

/** All reads. Outside of a transaction, they return committed data. */
export interface StoreReads {
  tenants: TenantReads;
  grants: GrantReads;
  freezes: FreezeReads;
  directory: DirectoryReads;
  layers: LayerReads;
  versions: VersionReads;
  search: SearchIndexReads;
  domains: DomainReads;
  jobs: JobReads;
  outbox: OutboxReads;
  audit: AuditReads;
  read_log: ReadLogReads;
  artifact_usage: ArtifactUsageReads;
  sessions: SessionReads;
  purges: PurgeReads;
  receivers: ReceiverReads;
  dispatches: DispatchReads;
  archive: ArchiveReads;
  identity: IdentityReads;
  issuers: IssuerReads;
  signatures: SignatureReads;
  key_sets: KeySetReads;
}

/** All writes, with reads that see them. */
export interface StoreWrites {
  tenants: TenantWrites;
  grants: GrantWrites;
  freezes: FreezeWrites;
  directory: DirectoryWrites;
  layers: LayerWrites;
  versions: VersionWrites;
  search: SearchIndexWrites;
  domains: DomainWrites;
  jobs: JobWrites;
  outbox: OutboxWrites;
  audit: AuditWrites;
  read_log: ReadLogWrites;
  artifact_usage: ArtifactUsageWrites;
  sessions: SessionWrites;
  deliveries: DeliveryWrites;
  purges: PurgeWrites;
  receivers: ReceiverWrites;
  dispatches: DispatchWrites;
  archive: ArchiveWrites;
  identity: IdentityWrites;
  issuers: IssuerWrites;
  signatures: SignatureWrites;
  key_sets: KeySetWrites;
}

export interface Store extends StoreReads {
  /** Locks for work that only one process may do, outside of transactions. */
  locks: Locks;
  quota: QuotaLeases;
  vectors: VectorIndex;
  /** Embeddings, wherever their vectors are stored. */
  embeddings: Embeddings;
  /**
   * Runs `work` in a transaction: all its writes are committed durably, or none. After a conflict, `work` may run
   * again. While the primary is unavailable, only the choices of sessions can be written, in memory.
   */
  transaction<Result>(work: (writes: StoreWrites) => Promise<Result>): Promise<Result>;
  /** Runs reads on a consistent snapshot. A revision among them identifies the state for caches. */
  together<Result>(tenant: Tenant, work: (reads: StoreReads) => Promise<Result>): Promise<Result>;
  /**
   * Calls a listener regularly, and after commits of any process that append events, queue or end jobs, make embeddings
   * pending, or replace a tenant. Returns a function that removes the listener.
   */
  onCommit(listener: () => void): () => void;
  /** Returns the time that all processes share: that of the database, or of this machine for a file. */
  now(): Date;
  /** Returns the mode. In read-only mode, `transaction` throws `registry.read_only`. */
  availability(): Availability;
  onNotice(listener: (notice: StoreNotice) => void): () => void;
  servers(): readonly StoreServer[];
  probe(): Promise<void>;
  close(): Promise<void>;
}
