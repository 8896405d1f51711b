import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { SourceReading } from '@catalog/core/ports/layer-source';
import { quotaOf } from '../access/quota-of.ts';
import type { Registry } from '../registry.ts';
import { requireHeld } from './commit-ingest.ts';
import type { IngestRun } from './ingest-run.ts';

/** Counts the local repository as storage of the tenant. If this exceeds the quota, removes it and fails the ingest. */
export async function countCopy(
  registry: Registry,
  run: Pick<IngestRun, 'job' | 'layer'>,
  { copy_bytes }: SourceReading,
): Promise<void> {
  const { layer } = run;
  const { tenant } = run.job;
  // A folder layer has no repository, but one may remain if it was a git layer before.
  if (layer.source_type !== 'git' && layer.last_ingested_at !== null) return;
  const problem = await registry.store
    .transaction(async (writes) => {
      await requireHeld(writes, run);
      const now = registry.now().toISOString();
      const { storage_bytes: limit } = await quotaOf(registry, writes.tenants, tenant);
      const before = await writes.tenants.usage(tenant, now);
      await writes.layers.noteCopy(tenant, layer.number, copy_bytes);
      const after = await writes.tenants.usage(tenant, now);
      const isWithin = limit === 0 || after.storage_bytes <= limit;
      if (!isWithin && after.storage_bytes > before.storage_bytes)
        throw new StorageQuotaExceeded(limit);
    })
    .catch((error: unknown) => {
      if (error instanceof StorageQuotaExceeded) return error;
      throw error;
    });
  if (problem === undefined) return;
  await registry.copies.remove(tenant, layer.number);
  throw new CatalogError(
    'quota.storage_exceeded',
    `The git repository of layer ${layer.id} has ${copy_bytes} bytes, which exceeds the tenant's storage limit of ${problem.limit} bytes.`,
    { details: { limit: problem.limit } },
  );
}

class StorageQuotaExceeded extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super('the copy does not fit');
    this.limit = limit;
  }
}
