import type { Hold } from '@catalog/core/ports/locks';
import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/**
 * Waits until nobody else decides for the tenant, in this process or another: whether two artifacts
 * collide depends on what was decided before.
 */
export function takeTurn({ store }: Registry, tenant: Tenant, signal: AbortSignal): Promise<Hold> {
  return store.locks.take(`turn of ${tenant}`, signal);
}
