import type { Tenant } from '@catalog/core/ports/tenant';
import { requestIngest } from '../registry/ingest/request-ingest.ts';
import { requestMovedIngests } from '../registry/ingest/request-moved-ingests.ts';
import { mayIngest } from '../registry/layers/declared-sources.ts';
import type { Registry } from '../registry/registry.ts';
import { forEachTenant } from './for-each-tenant.ts';
import { startRounds, type Rounds } from './rounds.ts';

export interface PollOptions {
  interval_ms: number;
  listTenants: () => Promise<readonly Tenant[]>;
  onFailure: (cause: unknown) => void;
}

/**
 * Looks at every git layer again and again, for deliveries that never came: git hosts do not repeat
 * them (SPEC-30). A layer whose ref did not move costs one question to its host.
 */
export function pollLayers(registry: Registry, options: PollOptions): Rounds {
  const { interval_ms, listTenants, onFailure } = options;
  return startRounds({
    interval_ms,
    first: 'later',
    async round(signal) {
      await forEachTenant(
        await listTenants(),
        (tenant) => pollTenant(registry, tenant, signal),
        signal,
      );
    },
    onFailure,
  });
}

async function pollTenant(registry: Registry, tenant: Tenant, signal: AbortSignal): Promise<void> {
  await requestUnread(registry, tenant);
  await requestMovedIngests(registry, tenant, 'poll', signal);
}

/** Queues git layers that were never read, such as those whose first ingest failed. */
async function requestUnread(registry: Registry, tenant: Tenant): Promise<void> {
  const layers = await registry.store.layers.list(tenant);
  const ids = layers
    .filter(({ source_type, source_state }) => source_type === 'git' && source_state === null)
    .filter((layer) => mayIngest(registry, tenant, layer))
    .map(({ id }) => id);
  if (ids.length === 0) return;
  await registry.store.transaction(async (writes) => {
    for (const layer_id of ids) {
      const wanted = { layer_id, full: false, trigger: 'poll' } as const;
      await requestIngest(registry, writes, tenant, wanted);
    }
  });
}
