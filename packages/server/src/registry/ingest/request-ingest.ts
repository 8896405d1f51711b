import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestTrigger } from '@catalog/contract/records/ingest';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

export interface IngestRequest {
  layer_id: string;
  /** Includes unchanged parts (SPEC-56). */
  full: boolean;
  trigger: IngestTrigger;
  /** Artifacts to decide again although the source did not change. */
  retry?: readonly string[];
}

/**
 * Joins the queued ingest of the layer if there is one. Runs in the transaction of the change that
 * requests it, so that an acknowledged change is always ingested.
 */
export async function requestIngest(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  { layer_id, full, trigger, retry = [] }: IngestRequest,
): Promise<JobRecord> {
  return writes.jobs.enqueue(tenant, {
    job: registry.newId(),
    layer_id,
    request: { full, retry, trigger },
    now: registry.now().toISOString(),
  });
}

/** The error appears in the list of ingests. */
export async function recordFailedIngest(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  { layer_id, full, trigger, retry = [] }: IngestRequest,
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
