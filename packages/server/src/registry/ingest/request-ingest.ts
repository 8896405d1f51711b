import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestTrigger } from '@catalog/contract/records/ingest';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** An ingest somebody wants. */
export interface WantedIngest {
  layer_id: string;
  /** Read the whole source, whatever changed (SPEC-56). */
  full: boolean;
  trigger: IngestTrigger;
  /** Artifacts to look at again although the source did not change. */
  retry?: readonly string[];
}

/**
 * Puts an ingest of a layer into the queue, or joins the one that waits there. In the transaction of
 * the fact that asks for it: once that is acknowledged, the ingest will run.
 */
export async function requestIngest(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  { layer_id, full, trigger, retry = [] }: WantedIngest,
): Promise<JobRecord> {
  return writes.jobs.enqueue(tenant, {
    job: registry.newId(),
    layer_id,
    request: { full, retry, trigger },
    now: registry.now().toISOString(),
  });
}

/** Records an ingest that would fail, as failed, so that the error shows where ingests are listed. */
export async function recordFailedIngest(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  { layer_id, full, trigger, retry = [] }: WantedIngest,
  error: CatalogError,
): Promise<void> {
  await writes.jobs.addFailed(tenant, {
    job: registry.newId(),
    layer_id,
    request: { full, retry, trigger },
    error: error.toEnvelope(),
    now: registry.now().toISOString(),
  });
}
