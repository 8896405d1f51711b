import { now } from '../clock.ts';
import type { Config } from '../config/types.ts';
import { openSource } from '../source/open-source.ts';
import { groupByDirectory } from './group-targets.ts';
import type { SyncReport } from './report.ts';
import type { SyncOptions } from './sync-options.ts';
import { getCurrentReports } from './up-to-date.ts';

/**
 * Delivers the effective view into every target of the configuration. When nothing changed since the
 * last run that is all there is to do, and what delivers is not even loaded.
 */
export async function runSync(
  config: Config,
  options: SyncOptions,
  signal?: AbortSignal,
): Promise<SyncReport> {
  const started = now();
  const { onProgress, onReadOnly, signIn } = options;
  const source = await openSource(config, {
    onLoad: (done, total) => onProgress?.({ phase: 'load', done, total }),
    onReadOnly,
    signIn,
  });
  const folders = groupByDirectory(config.targets);
  let targets = await getCurrentReports(config, source, folders, options, signal);
  if (targets === undefined) {
    const { deliver } = await import('./deliver.ts');
    targets = await deliver(config, source, folders, options, signal);
  }
  return { mode: options.mode, targets, duration_ms: now() - started };
}
