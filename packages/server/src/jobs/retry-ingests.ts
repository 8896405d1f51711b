import { attemptEach } from '@catalog/core/attempt-each';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requestRetries } from '../registry/ingest/request-retries.ts';
import type { Registry } from '../registry/registry.ts';
import { startPeriodicTask, type PeriodicTask } from './periodic-task.ts';

export interface RetryOptions {
  /** Duration of retries, counted from the first failure. */
  limit_ms: number;
  onFailure: (cause: unknown) => void;
}

/** Interval between checks, short compared with the first pause before a retry. */
const INTERVAL_MS = 10_000;

export function retryIngests(registry: Registry, options: RetryOptions): PeriodicTask {
  const { limit_ms, onFailure } = options;
  return startPeriodicTask({
    interval_ms: INTERVAL_MS,
    first: 'later',
    async round(signal) {
      const retry = (tenant: Tenant): Promise<void> => requestRetries(registry, tenant, limit_ms);
      const since = new Date(registry.now().getTime() - limit_ms).toISOString();
      await attemptEach(await registry.store.jobs.listFailedTenants(since), retry, signal);
    },
    onFailure,
  });
}
