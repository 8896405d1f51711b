import type { Registry } from '../registry/registry.ts';
import { startPeriodicTask, type PeriodicTask } from './periodic-task.ts';

/** Interval at which each process removes unused local copies. */
const INTERVAL_MS = 600_000;

export function removeCopiesRegularly(
  registry: Registry,
  onFailure: (cause: unknown) => void,
): PeriodicTask {
  return startPeriodicTask({
    interval_ms: INTERVAL_MS,
    first: 'at_once',
    round: (signal) => removeCopies(registry, signal),
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
