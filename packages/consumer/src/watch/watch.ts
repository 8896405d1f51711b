import { watch as watchFolder } from 'node:fs';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Config } from '../config/types.ts';
import type { SyncReport } from '../sync/report.ts';
import { runSync } from '../sync/run-sync.ts';
import type { SyncOptions } from '../sync/sync-options.ts';
import { pollTree } from './poll-tree.ts';
import { createTrigger } from './trigger.ts';
import { watchTree, type TreeWatch } from './watch-tree.ts';

export interface WatchOptions {
  /** Poll although files could be watched. */
  poll: boolean;
  onRun(report: SyncReport): void;
  /** A run that failed; watching goes on. */
  onFailedRun(error: CatalogError): void;
  /** Called when everything is being watched, after the first run. */
  onReady(how: { folders: string[]; polling: string[] }): void;
  /** A folder can no longer be watched and is polled from now on. */
  onFallback(folder: string, cause: unknown): void;
  onWait?: SyncOptions['onWait'];
}

/** Bursts within this are one run (the specification leaves the length open). */
const DEBOUNCE_MS = 200;
/** Changes that never pause are delivered at least this often. */
const LONGEST_WAIT_MS = 2000;

/** Names beside the lock that change what a run does. */
const CONFIG_NAMES = new Set(['sync.yaml', 'sync.local.yaml', 'overlay']);

/**
 * One sync at the start, then one after every burst of changes to the registry folder, the overlay
 * or the configuration, until `signal` ends it. Every run reads the configuration and the whole
 * effective view anew; nothing is delivered per event.
 */
export async function watch(
  loadConfig: () => Config,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const trigger = createTrigger({ debounce_ms: DEBOUNCE_MS, longest_ms: LONGEST_WAIT_MS });
  const trees = openTrees(trigger.fire, options);
  try {
    trees.follow(loadConfig());
    await run(loadConfig, options, trees, signal, true);
    // The first run may have made the folder that configuration and overlay appear in.
    trees.follow(loadConfig());
    options.onReady(trees.describe());
    while (!signal.aborted) {
      await trigger.settled(signal);
      if (signal.aborted) break;
      await run(loadConfig, options, trees, signal, false);
    }
  } finally {
    trees.close();
  }
}

async function run(
  loadConfig: () => Config,
  options: WatchOptions,
  trees: Trees,
  signal: AbortSignal,
  isFirst: boolean,
): Promise<void> {
  try {
    const config = loadConfig();
    trees.follow(config);
    const { onWait } = options;
    const report = await runSync(
      config,
      {
        mode: 'sync',
        keep_toggles: true,
        rewrite_lock: true,
        ...(onWait === undefined ? {} : { onWait }),
      },
      signal,
    );
    options.onRun(report);
  } catch (error) {
    if (signal.aborted) return;
    // A configuration that cannot be right at the start is a mistake to stop for; later ones are edits under way.
    const stops = !(error instanceof CatalogError) || (isFirst && error.code.startsWith('config.'));
    if (stops) throw error;
    options.onFailedRun(error);
  }
}

interface Trees {
  /** Watches what the configuration names, and nothing else any more. */
  follow(config: Config): void;
  describe(): { folders: string[]; polling: string[] };
  close(): void;
}

function openTrees(onEvent: () => void, options: WatchOptions): Trees {
  const open = new Map<string, TreeWatch>();
  const polling = new Set<string>();

  function poll(folder: string): void {
    polling.add(folder);
    open.set(folder, pollTree(folder, onEvent));
  }

  function start(folder: string): void {
    if (options.poll) {
      poll(folder);
      return;
    }
    let starting = true;
    const tree = watchTree(folder, onEvent, (cause) => {
      options.onFallback(folder, cause);
      poll(folder);
      // What happened between the last event and the first look is known to nobody.
      if (!starting) onEvent();
    });
    starting = false;
    if (!polling.has(folder)) open.set(folder, tree);
  }

  return {
    follow: (config) => {
      const wanted = new Set<string>();
      if (config.registry !== undefined) wanted.add(config.registry.value);
      if (config.overlay !== undefined) wanted.add(config.overlay.value);
      for (const [folder, tree] of open) {
        if (wanted.has(folder) || folder.endsWith('/.catalog')) continue;
        tree.close();
        open.delete(folder);
        polling.delete(folder);
      }
      for (const folder of wanted) if (!open.has(folder)) start(folder);
      const own = `${config.workspace}/.catalog`;
      if (!open.has(own)) {
        const tree = watchConfiguration(own, onEvent);
        if (tree !== undefined) open.set(own, tree);
      }
    },
    describe: () => ({
      folders: [...open.keys()].filter((folder) => !folder.endsWith('/.catalog')),
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
