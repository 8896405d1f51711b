import type { Hold } from '@catalog/core/ports/locks';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** Locks across all processes, because collisions depend on earlier decisions. */
export function takeTurn({ store }: Registry, tenant: Tenant, signal: AbortSignal): Promise<Hold> {
  return store.locks.take(`turn of ${tenant}`, signal);
}
