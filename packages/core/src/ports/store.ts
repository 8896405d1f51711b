import type { AuditReads, AuditWrites } from './audit.ts';
import type { DeliveryWrites } from './deliveries.ts';
import type { DomainReads, DomainWrites } from './domains.ts';
import type { JobReads, JobWrites } from './jobs.ts';
import type { LayerReads, LayerWrites } from './layers.ts';
import type { OutboxReads, OutboxWrites } from './outbox.ts';
import type { SearchIndexReads, SearchIndexWrites } from './search-index.ts';
import type { SessionReads, SessionWrites } from './sessions.ts';
import type { VersionReads, VersionWrites } from './versions.ts';

/** Everything that can be read; outside a transaction, of what is committed. */
export interface StoreReads {
  layers: LayerReads;
  versions: VersionReads;
  search: SearchIndexReads;
  domains: DomainReads;
  jobs: JobReads;
  outbox: OutboxReads;
  audit: AuditReads;
  sessions: SessionReads;
}

/** Everything that can be written, in one transaction; reads see what it wrote. */
export interface StoreWrites {
  layers: LayerWrites;
  versions: VersionWrites;
  search: SearchIndexWrites;
  domains: DomainWrites;
  jobs: JobWrites;
  outbox: OutboxWrites;
  audit: AuditWrites;
  sessions: SessionWrites;
  deliveries: DeliveryWrites;
}

/** The metadata store of a registry. */
export interface Store extends StoreReads {
  /**
   * Runs `work` as one unit: everything it wrote is committed and flushed when this returns, or
   * nothing is. Readers see nothing of it before. `work` may be run again after a conflict.
   */
  transaction<Result>(work: (writes: StoreWrites) => Promise<Result>): Promise<Result>;
  /** Calls back after every commit that appended events, or queued or ended jobs; answers how to stop. */
  onCommit(listener: () => void): () => void;
  /** Throws when the store cannot be used now. */
  probe(): Promise<void>;
  close(): Promise<void>;
}
