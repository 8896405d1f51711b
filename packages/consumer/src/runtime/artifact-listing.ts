import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { openClient } from '@catalog/sdk/client';
import type { CacheMode } from '../config/cache-modes.ts';
import { isUnreachable } from '../source/is-unreachable.ts';
import { followEvents, type EventWatch } from '../watch/follow-events.ts';
import type { ListedArtifact } from './listed-artifact.ts';
import type { OfflineRegistry } from './offline-registry.ts';
import type { OnlineOptions } from './online-registry.ts';
import type { OverlayContent } from './open-overlay.ts';
import { withinTime } from './within-time.ts';

export interface ArtifactListing {
  /** Lists artifacts by id; the cached ones if the registry is unreachable. */
  listArtifacts(signal?: AbortSignal): Promise<readonly ListedArtifact[]>;
  /** Calls back when the list may have changed; undefined if the registry must not be contacted. */
  follow(onChange: () => void): EventWatch | undefined;
}

export interface ListingOptions extends OnlineOptions {
  mode: CacheMode;
  offline: OfflineRegistry;
  readOverlay: (signal?: AbortSignal) => Promise<OverlayContent | undefined>;
}

export function openArtifactListing(options: ListingOptions): ArtifactListing {
  const { connection, mode, offline, viewer, limits, readOverlay } = options;
  const client = openClient(connection);

  async function listCached(signal?: AbortSignal): Promise<readonly ListedArtifact[]> {
    return offline.listArtifacts(await viewer(signal));
  }

  async function listServed(signal?: AbortSignal): Promise<readonly ListedArtifact[]> {
    if (mode === 'offline-only') return listCached(signal);
    try {
      const { artifacts } = await withinTime(
        connection.registry,
        limits.discovery_ms,
        signal,
        (own) => client.catalog({}, own),
      );
      return artifacts.map(({ id, type, summary }) => ({ id, type, description: summary }));
    } catch (error) {
      signal?.throwIfAborted();
      if (!isUnreachable(error)) throw error;
      const cached = await listCached(signal);
      if (cached.length === 0 && mode === 'always-revalidate') throw error;
      return cached;
    }
  }

  return {
    listArtifacts: async (signal) => {
      const [served, overlay] = await Promise.all([listServed(signal), readOverlay(signal)]);
      const own = overlay?.artifacts ?? new Map<string, ListedArtifact>();
      const all = [...served.filter(({ id }) => !own.has(id)), ...own.values()];
      return all
        .map(({ id, type, description }) => ({ id, type, description }))
        .sort((a, b) => compareBytes(a.id, b.id));
    },
    follow: (onChange) =>
      mode === 'offline-only' ? undefined : followEvents(connection, onChange, () => undefined),
  };
}
