import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry/registry.ts';
import { sweepShared } from '../registry/retention/sweep-shared.ts';
import { sweepTenant } from '../registry/retention/sweep-tenant.ts';

export interface Sweep {
  /** Waits for a sweep that is under way. */
  close(): Promise<void>;
}

export interface SweepOptions {
  interval_ms: number;
  listTenants: () => Promise<readonly Tenant[]>;
  onFailure: (cause: unknown) => void;
}

/** Sweeps at the start and then again and again, never twice at a time; a failure waits for the next. */
export function startSweep(registry: Registry, options: SweepOptions): Sweep {
  const { interval_ms, listTenants, onFailure } = options;
  let underway: Promise<void> | undefined;
  let isClosing = false;
  function sweep(): void {
    underway ??= sweepAll()
      .catch(onFailure)
      .finally(() => {
        underway = undefined;
      });
  }
  async function sweepAll(): Promise<void> {
    for (const tenant of await listTenants()) {
      if (isClosing) return;
      await sweepTenant(registry, tenant);
    }
    await sweepShared(registry);
  }
  const timer = setInterval(sweep, interval_ms).unref();
  sweep();
  return {
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await underway;
    },
  };
}
