import type { ArchiveSource } from './archive.ts';
import type { StoreReads } from './store.ts';
import type { Tenant } from './tenant.ts';

export interface StoreSnapshot extends ArchiveSource {
  reads: StoreReads;
  readBlobSizes(tenant: Tenant, hashes: readonly string[]): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}
