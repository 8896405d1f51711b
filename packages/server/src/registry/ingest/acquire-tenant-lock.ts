import type { HeldLock } from '@catalog/core/ports/locks';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** Locks across all processes, because collisions depend on earlier decisions. */
export function acquireTenantLock(
  { store }: Registry,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<HeldLock> {
  return store.locks.take(`turn of ${tenant}`, signal);
}
