import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry/registry.ts';
import { compareTenants, type CompareTenants } from './compare-tenants.ts';
import { startPeriodicTask, type PeriodicTask } from './periodic-task.ts';

export interface PollOptions {
  interval_ms: number;
  listTenants: () => Promise<readonly Tenant[]>;
  onUnresponsive: CompareTenants['onUnresponsive'];
  onFailure: (cause: unknown) => void;
}

/**
 * Polls all git layers, because git hosts do not repeat lost deliveries (SPEC-30). An unchanged layer costs one request
 * to its host.
 */
export function pollLayers(registry: Registry, options: PollOptions): PeriodicTask {
  const { interval_ms, listTenants, onUnresponsive, onFailure } = options;
  return startPeriodicTask({
    interval_ms,
    first: 'later',
    async round(signal) {
      const tenants = await listTenants();
      await compareTenants(registry, { tenants, trigger: 'poll', onUnresponsive, signal });
    },
    onFailure,
  });
}
