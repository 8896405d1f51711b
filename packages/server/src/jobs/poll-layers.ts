import type { Tenant } from '@catalog/core/ports/tenant';
import { requestIngest } from '../registry/ingest/request-ingest.ts';
import type { Registry } from '../registry/registry.ts';
import { startRounds, type Rounds } from './rounds.ts';

export interface PollOptions {
  interval_ms: number;
  listTenants: () => Promise<readonly Tenant[]>;
  onFailure: (cause: unknown) => void;
}

/**
 * Looks at every git layer again and again, for deliveries that never came: git hosts do not repeat
 * them (decision 30). A layer whose ref did not move costs one question to its host.
 */
export function pollLayers(registry: Registry, options: PollOptions): Rounds {
  const { interval_ms, listTenants, onFailure } = options;
  return startRounds({
    interval_ms,
    first: 'later',
    async round(signal) {
      for (const tenant of await listTenants()) {
        if (signal.aborted) return;
        await pollTenant(registry, tenant);
      }
    },
    onFailure,
  });
}

async function pollTenant(registry: Registry, tenant: Tenant): Promise<void> {
  await registry.store.transaction(async (writes) => {
    for (const { id, source_type } of await writes.layers.list(tenant)) {
      if (source_type !== 'git') continue;
      const wanted = { layer_id: id, full: false, trigger: 'poll' } as const;
      await requestIngest(registry, writes, tenant, wanted);
    }
  });
}
