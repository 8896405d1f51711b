import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { createTrigger } from '@catalog/core/node/trigger';
import { RegistryError } from '@catalog/sdk/registry-error';
import { refuseTarget } from '../config/refuse-target.ts';
import type { Config } from '../config/types.ts';
import type { SyncReport } from '../sync/report.ts';
import { runSync } from '../sync/run-sync.ts';
import type { SyncOptions } from '../sync/sync-options.ts';
import { openWatchedPlaces, type PlacesOptions, type WatchedPlaces } from './watched-places.ts';

export interface WatchOptions extends PlacesOptions {
  onRun(report: SyncReport): void;
  onFailedRun(error: CatalogError | RegistryError): void;
  /** Called once after the first run, when everything is watched. */
  onReady(how: { places: string[]; polling: string[] }): void;
  onWait?: SyncOptions['onWait'];
  ignore_runtime?: boolean;
  strict?: boolean;
}

/** Delay after a change; the specification does not define it. */
const DEBOUNCE_MS = 200;
/** Maximum delay of a run while changes continue. */
const MAX_WAIT_MS = 2000;

/**
 * Runs a sync now and after each burst of changes, until `signal` aborts. Each run loads configuration and view again.
 */
export async function watch(
  loadConfig: () => Config,
  options: WatchOptions,
  signal: AbortSignal,
): Promise<void> {
  const trigger = createTrigger({ debounce_ms: DEBOUNCE_MS, longest_ms: MAX_WAIT_MS });
  const places = openWatchedPlaces(trigger.fire, options);
  const stopWaiting = (): void => places.close();
  signal.addEventListener('abort', stopWaiting);
  try {
    await places.follow(loadConfig());
    await run(loadConfig, options, places, signal, true);
    await places.follow(loadConfig());
    options.onReady(places.describe());
    while (!signal.aborted) {
      await trigger.settled(signal);
      if (signal.aborted) break;
      await run(loadConfig, options, places, signal, false);
    }
  } finally {
    signal.removeEventListener('abort', stopWaiting);
    places.close();
  }
}

async function run(
  loadConfig: () => Config,
  options: WatchOptions,
  places: WatchedPlaces,
  signal: AbortSignal,
  isFirst: boolean,
): Promise<void> {
  try {
    const config = loadConfig();
    refuseMarketplaces(config);
    await places.follow(config);
    const { onWait, signIn, ignore_runtime = false, strict = false } = options;
    const report = await runSync(
      config,
      {
        mode: 'sync',
        keep_toggles: true,
        rewrite_lock: true,
        ignore_runtime,
        strict,
        signIn,
        ...(onWait === undefined ? {} : { onWait }),
      },
      signal,
    );
    options.onRun(report);
  } catch (error) {
    if (signal.aborted) return;
    // A later invalid configuration may be an unfinished edit.
    const isKnown = error instanceof CatalogError || error instanceof RegistryError;
    if (!isKnown || (isFirst && error.code.startsWith('config.'))) throw error;
    options.onFailedRun(error);
  }
}

/** Rejects marketplaces, because a changed file must not publish a repository (ERR-26). */
function refuseMarketplaces({ marketplaces }: Config): void {
  const [first] = marketplaces;
  if (first === undefined) return;
  throw refuseTarget(first.id, first.file.path)(
    'is a marketplace, and marketplaces cannot be watched',
    'Run `catalog sync --config` to publish it. To watch the other targets, list them in a separate file, or name one with --harness and --target.',
    'kind',
  );
}
