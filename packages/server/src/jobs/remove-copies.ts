import type { Registry } from '../registry/registry.ts';
import { startPeriodicTask, type PeriodicTask } from './periodic-task.ts';

/** Interval at which each process removes unused local copies. */
const INTERVAL_MS = 60_000;

export function removeCopiesRegularly(
  registry: Registry,
  onFailure: (cause: unknown) => void,
): PeriodicTask {
  const removed = new Map<string, string>();
  return startPeriodicTask({
    interval_ms: INTERVAL_MS,
    first: 'at_once',
    async round(signal) {
      await removeCopies(registry, signal);
      await removePurged(registry, removed, signal);
    },
    onFailure,
  });
}

/** Copies are listed before layers, so that a copy made between the two is kept. */
export async function removeCopies(
  { copies, store }: Pick<Registry, 'copies' | 'store'>,
  signal: AbortSignal,
): Promise<void> {
  const byTenant = Map.groupBy(await copies.list(), ({ tenant }) => tenant);
  for (const [tenant, kept] of byTenant) {
    signal.throwIfAborted();
    // A standby may lack a new layer, so the primary is read.
    const layers = await store.transaction((writes) => writes.layers.list(tenant));
    const used = new Set(
      layers.filter(({ source_type }) => source_type === 'git').map(({ number }) => number),
    );
    for (const { layer } of kept) if (!used.has(layer)) await copies.remove(tenant, layer);
  }
}

/**
 * Removes copies of layers with a purge that this process has not seen. `removed` has the last purge per layer, so that
 * no clock is compared; a process that starts removes such a copy once.
 */
export async function removePurged(
  { copies, store }: Pick<Registry, 'copies' | 'store'>,
  removed: Map<string, string>,
  signal: AbortSignal,
): Promise<void> {
  const byTenant = Map.groupBy(await copies.list(), ({ tenant }) => tenant);
  for (const [tenant, kept] of byTenant) {
    signal.throwIfAborted();
    const [layers, purges] = await store.transaction(async (writes) => [
      await writes.layers.list(tenant),
      await writes.purges.listLast(tenant),
    ]);
    const numbers = new Map(layers.map(({ id, number }) => [id, number]));
    for (const { layer_id, purged_at } of purges) {
      const layer = numbers.get(layer_id);
      const key = `${tenant}/${layer}`;
      if (layer === undefined || removed.get(key) === purged_at) continue;
      if (kept.some((copy) => copy.layer === layer)) await copies.remove(tenant, layer);
      removed.set(key, purged_at);
    }
  }
}
