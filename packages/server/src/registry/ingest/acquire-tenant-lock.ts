import type { HeldLock } from '@catalog/core/ports/locks';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** Acquires the lock of a tenant across all processes: whether an artifact is accepted depends on earlier decisions. */
export function acquireTenantLock(
  { store }: Registry,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<HeldLock> {
  return store.locks.take(`turn of ${tenant}`, signal);
}
