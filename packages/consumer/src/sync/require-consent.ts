import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ResolvedTarget } from '../config/types.ts';
import type { DirectoryPlan } from './plan-directory.ts';
import type { ConsentRequest, SyncRun } from './sync-options.ts';

/**
 * The home folder holds the settings of everything a person runs: the first write into it needs their
 * word. Afterwards the lock that lies there is the proof of it.
 */
export async function requireConsent(
  { directory, files, shared, previous }: DirectoryPlan,
  targets: readonly ResolvedTarget[],
  { config, options }: SyncRun,
): Promise<void> {
  if (config.scope !== 'user' || options.mode !== 'sync' || options.yes === true) return;
  if (previous.targets.length > 0) return;
  const request: ConsentRequest = {
    directory,
    harnesses: [...new Set(targets.map(({ harness }) => harness))],
    writes: files.writes.map(({ path }) => path),
    edits: shared.filter(({ changed }) => changed).map(({ path }) => path),
  };
  if (request.writes.length + request.edits.length === 0) return;
  if ((await options.confirmConsent?.(request)) === true) return;
  const count = request.writes.length === 1 ? '1 file' : `${request.writes.length} files`;
  throw new CatalogError(
    'materialize.consent_required',
    `Nothing was written: this would write ${count} to ${directory} and change ${listed(request.edits)}.`,
    { details: { ...request } },
  );
}

function listed(paths: readonly string[]): string {
  return paths.length === 0 ? 'no existing file' : paths.join(', ');
}
