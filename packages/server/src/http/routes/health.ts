import { healthz, readyz } from '@catalog/contract/endpoints/operations';
import type { Health, Readiness } from '@catalog/contract/records/operations';
import type { Registry } from '../../registry/registry.ts';
import { defineRoute, json } from '../route.ts';

/** What the stores may take to answer before the registry counts as not ready. */
const PROBE_BUDGET_MS = 2000;

/** Alive, and in which mode (decision 34). Asks nothing of anything else. */
export const healthzRoute = defineRoute(healthz, async ({ registry: { settings, store } }) =>
  json({ mode: settings.public_mode ? 'public' : store.availability().mode } satisfies Health),
);

/** A registry that only reads is ready to be read from: a balancer keeps sending to it (OPS-12). */
export const readyzRoute = defineRoute(readyz, async ({ registry }) => {
  const isReady = await probe(registry);
  const available = registry.store.availability();
  const body: Readiness = {
    mode: isReady ? available.mode : 'not_ready',
    replication_lag_seconds: available.mode === 'read_only' ? available.lag_seconds : 0,
  };
  return json(body, isReady ? 200 : 503);
});

async function probe(registry: Registry): Promise<boolean> {
  const budget = AbortSignal.timeout(PROBE_BUDGET_MS);
  const probes = Promise.all([registry.store.probe(), registry.objects.probe(budget)]);
  const late = new Promise<never>((_, reject) => {
    budget.addEventListener('abort', () => reject(new Error('the probes timed out')));
  });
  try {
    await Promise.race([probes, late]);
    return true;
  } catch {
    return false;
  }
}
