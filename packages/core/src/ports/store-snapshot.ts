import type { ArchiveSource } from './archive.ts';
import type { StoreReads } from './store.ts';
import type { Tenant } from './tenant.ts';

/** A store at one moment, whatever is written to it meanwhile. */
export interface StoreSnapshot extends ArchiveSource {
  /** Reads of that moment, of every tenant. */
  reads: StoreReads;
  /** The size of each blob that is there, without its bytes. */
  readBlobSizes(tenant: Tenant, hashes: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}
