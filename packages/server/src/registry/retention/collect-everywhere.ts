import { ONLY_TENANT, type Tenant } from '@catalog/core/ports/tenant';
import type { Registry } from '../registry.ts';
import { collectObjects, type CollectedObjects, type CollectOptions } from './collect-objects.ts';

/** Removes unreferenced objects of all tenants, including inactive ones. */
export async function collectEverywhere(
  registry: Registry,
  options: CollectOptions,
  signal: AbortSignal,
): Promise<CollectedObjects> {
  const all: CollectedObjects = {
    examined: { objects: 0, bytes: 0 },
    unreferenced: { objects: 0, bytes: 0 },
  };
  for (const tenant of await listEvery(registry)) {
    const before = all.examined.objects;
    const collected = await collectObjects(
      registry,
      tenant,
      { ...options, onProgress: (examined) => options.onProgress?.(before + examined) },
      signal,
    );
    for (const kind of ['examined', 'unreferenced'] as const) {
      all[kind].objects += collected[kind].objects;
      all[kind].bytes += collected[kind].bytes;
    }
  }
  return all;
}

/** Lists all tenants. The default tenant may not have a record yet. */
async function listEvery({ store }: Registry): Promise<Iterable<Tenant>> {
  const records = await store.tenants.list();
  return new Set([ONLY_TENANT, ...records.map(({ tenant }) => tenant)]);
}
