import { attemptEach } from '@catalog/core/attempt-each';
import type { Tenant } from '@catalog/core/ports/tenant';
import { requestFrozenIngests } from '../registry/freeze/request-frozen-ingests.ts';
import type { Registry } from '../registry/registry.ts';
import { startPeriodicTask, type PeriodicTask } from './periodic-task.ts';

/** A round without frozen layers costs one indexed query. */
const INTERVAL_MS = 1000;

/** Queues the ingests that freeze windows blocked, after the windows end. */
export function endFreezes(registry: Registry, onFailure: (cause: unknown) => void): PeriodicTask {
  return startPeriodicTask({
    interval_ms: INTERVAL_MS,
    first: 'at_once',
    async round(signal) {
      const request = (tenant: Tenant): Promise<void> => requestFrozenIngests(registry, tenant);
      await attemptEach(await registry.store.freezes.listFrozenTenants(), request, signal);
    },
    onFailure,
  });
}
