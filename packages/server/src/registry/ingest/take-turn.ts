import type { Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';

/** A turn that somebody has until they end it. */
export interface Turn {
  end(): void;
}

const queues = new WeakMap<Registry, Map<Tenant, Promise<void>>>();

/**
 * Waits until nobody else decides for the tenant, first come, first served: whether two artifacts
 * collide depends on what was decided before. One process has the store to itself, so that its own
 * queue is enough; a store that several share has to queue for all of them.
 */
export async function takeTurn(registry: Registry, tenant: Tenant): Promise<Turn> {
  let waiting = queues.get(registry);
  if (waiting === undefined) {
    waiting = new Map();
    queues.set(registry, waiting);
  }
  const before = waiting.get(tenant);
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.set(tenant, promise);
  await before;
  return { end: resolve };
}
