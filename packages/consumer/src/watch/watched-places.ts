import { watch as watchFolder } from 'node:fs';
import { followTree } from '@catalog/core/node/follow-tree';
import { pollTree } from '@catalog/core/node/poll-tree';
import type { TreeWatch } from '@catalog/core/node/watch-tree';
import { isAddress } from '../config/is-address.ts';
import type { Config } from '../config/types.ts';
import { connectRegistry } from '../discover/registry-client.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { followEvents } from './follow-events.ts';
import type { StreamStatus } from './follow-stream.ts';

export interface PlacesOptions extends IdentityOptions {
  poll: boolean;
  /** Called if a folder can no longer be watched and is polled instead. */
  onFallback(folder: string, cause: unknown): void;
  onNews(news: StreamStatus): void;
}

export interface WatchedPlaces {
  /** Watches the paths of a configuration, and no longer those of others. */
  follow(config: Config): Promise<void>;
  describe(): { places: string[]; polling: string[] };
  close(): void;
}

/** Files next to the lock that affect a run. */
const CONFIG_NAMES = new Set(['sync.yaml', 'sync.local.yaml', 'overlay']);

export function openWatchedPlaces(onEvent: () => void, options: PlacesOptions): WatchedPlaces {
  const open = new Map<string, TreeWatch>();
  /** Folder of the configuration, which is watched all the time. */
  let own: string | undefined;
  const polling = new Set<string>();

  function watchTree(folder: string): TreeWatch {
    if (options.poll) polling.add(folder);
    if (options.poll) return pollTree(folder, onEvent);
    return followTree(folder, onEvent, (cause) => {
      polling.add(folder);
      options.onFallback(folder, cause);
    });
  }

  async function start(place: string, config: Config): Promise<void> {
    if (!isAddress(place)) {
      open.set(place, watchTree(place));
      return;
    }
    const events = followEvents(connectRegistry(place, config, options), onEvent, (news) =>
      options.onNews(news),
    );
    open.set(place, events);
    await events.settled;
  }

  return {
    follow: async (config) => {
      const wanted = new Set<string>();
      if (config.registry !== undefined) wanted.add(config.registry.value);
      if (config.overlay !== undefined) wanted.add(config.overlay.value);
      for (const [place, tree] of open) {
        if (wanted.has(place) || place === own) continue;
        tree.close();
        open.delete(place);
        polling.delete(place);
      }
      own ??= `${config.workspace}/.catalog`;
      if (!open.has(own)) {
        const tree = watchConfiguration(own, onEvent);
        if (tree !== undefined) open.set(own, tree);
      }
      for (const place of wanted) if (!open.has(place)) await start(place, config);
    },
    describe: () => ({
      places: [...open.keys()].filter((place) => place !== own),
      polling: [...polling],
    }),
    close: () => {
      for (const tree of open.values()) tree.close();
      open.clear();
    },
  };
}

/** Watches the configuration. The lock is in the same folder, so only some names trigger a run. */
function watchConfiguration(folder: string, onEvent: () => void): TreeWatch | undefined {
  try {
    const watcher = watchFolder(folder, (_kind, name) => {
      if (name !== null && CONFIG_NAMES.has(name)) onEvent();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined; // without the folder, only flags and environment variables configure the run
  }
}
