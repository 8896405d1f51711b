import { mayPass, nextRetry } from '@catalog/core/ingest/next-retry';
import type { JobRecord } from '@catalog/core/ports/jobs';
import type { Tenant } from '@catalog/core/ports/tenant';
import { mayIngest } from '../layers/declared-sources.ts';
import type { Registry } from '../registry.ts';
import { requestIngest } from './request-ingest.ts';

const LISTED = 100;

/**
 * Queues retries of ingests. `limit_ms` is the time after the first transient failure in which an ingest is retried.
 */
export async function requestRetries(
  registry: Registry,
  tenant: Tenant,
  limit_ms: number,
): Promise<void> {
  const { store } = registry;
  const since = new Date(registry.now().getTime() - limit_ms).toISOString();
  const failed = await store.jobs.listFailed(tenant, since);
  const transientFailures = failed.filter(({ error }) => error !== null && mayPass(error));
  for (const { layer_id, request } of transientFailures) {
    if (!(await isDue(registry, tenant, layer_id, limit_ms))) continue;
    const wanted = {
      layer_id,
      full: request.full,
      retry: request.retry,
      trigger: 'retry',
    } as const;
    await store.transaction((writes) => requestIngest(registry, writes, tenant, wanted));
  }
}

async function isDue(
  registry: Registry,
  tenant: Tenant,
  layer_id: JobRecord['layer_id'],
  limit_ms: number,
): Promise<boolean> {
  const { store } = registry;
  const due = nextRetry(await store.jobs.list(tenant, layer_id, LISTED), limit_ms);
  if (due === undefined || due > registry.now().getTime()) return false;
  const layer = await store.layers.get(tenant, layer_id);
  return layer !== undefined && layer.deleted_at === null && mayIngest(registry, tenant, layer);
}
