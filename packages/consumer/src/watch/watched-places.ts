import { watch as watchFolder } from 'node:fs';
import { followTree } from '@catalog/core/node/follow-tree';
import { pollTree } from '@catalog/core/node/poll-tree';
import type { TreeWatch } from '@catalog/core/node/watch-tree';
import { isAddress } from '../config/is-address.ts';
import type { Config } from '../config/types.ts';
import { connectRegistry } from '../discover/registry-client.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { followEvents } from './follow-events.ts';
import type { StreamNews } from './follow-stream.ts';

export interface PlacesOptions extends IdentityOptions {
  /** Poll although files could be watched. */
  poll: boolean;
  /** A folder can no longer be watched and is polled from now on. */
  onFallback(folder: string, cause: unknown): void;
  /** The subscription to a registry's events came to something new. */
  onNews(news: StreamNews): void;
}

/** Everything a change of which is a reason to sync: the registry, the overlay, the configuration. */
export interface WatchedPlaces {
  /** Watches what the configuration names, and nothing else any more. */
  follow(config: Config): Promise<void>;
  /** Folders, and the address of a registry. */
  describe(): { places: string[]; polling: string[] };
  close(): void;
}

/** Names beside the lock that change what a run does. */
const CONFIG_NAMES = new Set(['sync.yaml', 'sync.local.yaml', 'overlay']);

export function openWatchedPlaces(onEvent: () => void, options: PlacesOptions): WatchedPlaces {
  const open = new Map<string, TreeWatch>();
  /** The folder of the configuration, watched for as long as this is open. */
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

  /** Resolves once it is known whether the registry lets anybody listen. */
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

/** The folder the lock lies in too: only names that matter wake the watcher. */
function watchConfiguration(folder: string, onEvent: () => void): TreeWatch | undefined {
  try {
    const watcher = watchFolder(folder, (_kind, name) => {
      if (name !== null && CONFIG_NAMES.has(name)) onEvent();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined; // no such folder: the configuration is all flags and variables
  }
}
