import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { IngestTrigger } from '@catalog/contract/records/ingest';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { StoreWrites } from '@catalog/core/ports/store';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

export interface IngestRequest {
  layer_id: string;
  /** True to read unchanged parts again (SPEC-56). */
  full: boolean;
  trigger: IngestTrigger;
  /** Artifacts to decide again although the source is unchanged. */
  retry?: readonly string[];
  /** Override of freeze windows. */
  break_glass?: JobRecord['request']['break_glass'];
}

/**
 * Queues an ingest, or joins the queued one of the layer. Runs in the transaction of the change that needs it, so that
 * no acknowledged change is lost.
 */
export async function requestIngest(
  registry: Registry,
  writes: StoreWrites,
  tenant: Tenant,
  { layer_id, full, trigger, retry = [], break_glass }: IngestRequest,
): Promise<JobRecord> {
  return writes.jobs.enqueue(tenant, {
    job: registry.newId(),
    layer_id,
    request: { full, retry, trigger, ...(break_glass && { break_glass }) },
    now: registry.now().toISOString(),
  });
}

/** Records a failed ingest, which appears in the list of ingests. */
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
