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

/** Everything that can be read; outside a transaction, of what is committed. */
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

/** Everything that can be written, in one transaction; reads see what it wrote. */
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

/** The metadata store of a registry. */
export interface Store extends StoreReads {
  /** For what one process does at a time and no transaction can enclose. */
  locks: Locks;
  /** For limits that hold across processes. */
  quota: QuotaLeases;
  /** The vectors of what is searched, kept in the store itself. */
  vectors: VectorIndex;
  /** What still waits for its vector, wherever vectors are kept. */
  embeddings: Embeddings;
  /**
   * Runs `work` as one unit: everything it wrote is committed and flushed when this returns, or
   * nothing is. Readers see nothing of it before. `work` may be run again after a conflict. While the
   * primary is away only what lives in memory then can be written: what sessions were given.
   */
  transaction<Result>(work: (writes: StoreWrites) => Promise<Result>): Promise<Result>;
  /**
   * Several reads of one tenant that see one moment, whatever is committed meanwhile. A revision read
   * among them says under which one the rest may be kept.
   */
  together<Result>(tenant: Tenant, work: (reads: StoreReads) => Promise<Result>): Promise<Result>;
  /**
   * Calls back after every commit, of any process, that appended events, queued or ended jobs, let
   * something wait for its vector, or replaced the record of a tenant, and now and then without one;
   * answers how to stop.
   */
  onCommit(listener: () => void): () => void;
  /** The clock that every process on the store shares: the database's, or for a file this machine's. */
  now(): Date;
  /** Whether it takes writes now. While it does not, `transaction` throws `registry.read_only`. */
  availability(): Availability;
  /** Calls back when something happens to the servers behind it; answers how to stop. */
  onNotice(listener: (notice: StoreNotice) => void): () => void;
  /** The servers behind it, for measurements; none where the store is a file. */
  servers(): readonly StoreServer[];
  /** Throws when the store cannot be read now. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
