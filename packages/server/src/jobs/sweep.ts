import { attemptEach } from '@catalog/core/attempt-each';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry/registry.ts';
import { sweepShared } from '../registry/retention/sweep-shared.ts';
import { sweepTenant } from '../registry/retention/sweep-tenant.ts';
import { startPeriodicTask, type PeriodicTask } from './periodic-task.ts';

export interface SweepOptions {
  interval_ms: number;
  listTenants: () => Promise<readonly Tenant[]>;
  onFailure: (cause: unknown) => void;
}

export function startSweep(registry: Registry, options: SweepOptions): PeriodicTask {
  const { interval_ms, listTenants, onFailure } = options;
  return startPeriodicTask({
    interval_ms,
    first: 'at_once',
    async round(signal) {
      const tenants = await listTenants();
      await sweepShared(registry, signal);
      await attemptEach(tenants, (tenant) => sweepTenant(registry, tenant, signal), signal);
    },
    onFailure,
  });
}
