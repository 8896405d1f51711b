import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { RegistryError } from '@catalog/sdk/registry-error';
import { loadAdapters } from '../adapters/load-adapters.ts';
import { now } from '../clock.ts';
import type { Config } from '../config/types.ts';
import type { RunMarketplaces } from '../marketplace/run-marketplaces.ts';
import { openSource } from '../source/open-source.ts';
import { groupByDirectory } from './group-targets.ts';
import type { SyncReport } from './report.ts';
import type { SyncOptions, SyncRun } from './sync-options.ts';
import { getCurrentReports } from './up-to-date.ts';

/** Runs a sync. If nothing has changed since the last run, the code of delivery is not loaded. */
export async function runSync(
  config: Config,
  options: SyncOptions,
  signal?: AbortSignal,
): Promise<SyncReport> {
  const started = now();
  const { onProgress, onReadOnly, onKeysTrusted, signIn } = options;
  const adapters = await loadAdapters(config, options);
  const source = await openSource(config, {
    onLoad: (done, total) => onProgress?.({ phase: 'load', done, total }),
    onReadOnly,
    onKeysTrusted,
    signIn,
  });
  const run = { config, adapters, source, options };
  const runMarketplaces = await openMarketplaces(run);
  const { error, targets } = await deliverWorkspaces(run, signal);
  targets.push(...(await runMarketplaces(signal)));
  const report = { mode: options.mode, targets, duration_ms: now() - started };
  return error === undefined ? report : { ...report, error };
}

async function openMarketplaces(run: SyncRun): Promise<RunMarketplaces> {
  if (run.config.marketplaces.length === 0) return () => Promise.resolve([]);
  const marketplaces = await import('../marketplace/run-marketplaces.ts');
  return marketplaces.openMarketplaces(run);
}

/** Delivers all targets of the workspace, or none. If marketplaces follow, returns the error instead of throwing it. */
async function deliverWorkspaces(
  run: SyncRun,
  signal?: AbortSignal,
): Promise<Pick<SyncReport, 'targets' | 'error'>> {
  const { config, options } = run;
  if (config.targets.length === 0) return { targets: [] };
  const folders = groupByDirectory(config.targets);
  try {
    const current = await getCurrentReports(run, folders, signal);
    if (current !== undefined) return { targets: current };
    const { deliver } = await import('./deliver.ts');
    return { targets: await deliver(run, folders, signal) };
  } catch (error) {
    const follow = options.marketplaces !== undefined && config.marketplaces.length > 0;
    if (!follow || !isKnown(error) || signal?.aborted === true) throw error;
    return { targets: [], error: error.toEnvelope() };
  }
}

function isKnown(error: unknown): error is CatalogError | RegistryError {
  return error instanceof CatalogError || error instanceof RegistryError;
}
