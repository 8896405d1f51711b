import type { Tenant } from '@catalog/core/ports/tenant';
import { requestIngest } from '../registry/ingest/request-ingest.ts';
import type { Registry } from '../registry/registry.ts';

export interface PollOptions {
  interval_ms: number;
  listTenants: () => Promise<readonly Tenant[]>;
  onFailure: (cause: unknown) => void;
}

export interface LayerPoll {
  /** Waits for a round that is under way. */
  close(): Promise<void>;
}

/**
 * Looks at every git layer again and again, for deliveries that never came: git hosts do not repeat
 * them (decision 30). A layer whose ref did not move costs one question to its host.
 */
export function pollLayers(registry: Registry, options: PollOptions): LayerPoll {
  const { interval_ms, listTenants, onFailure } = options;
  let underway: Promise<void> | undefined;

  async function poll(): Promise<void> {
    for (const tenant of await listTenants()) {
      await registry.store.transaction(async (writes) => {
        for (const { id, source_type } of await writes.layers.list(tenant)) {
          if (source_type !== 'git') continue;
          const wanted = { layer_id: id, full: false, trigger: 'poll' } as const;
          await requestIngest(registry, writes, tenant, wanted);
        }
      });
    }
  }

  const timer = setInterval(() => {
    underway ??= poll()
      .catch(onFailure)
      .finally(() => {
        underway = undefined;
      });
  }, interval_ms).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await underway;
    },
  };
}
