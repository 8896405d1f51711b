import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { FileMutex } from '@catalog/core/node/file-mutex';
import { acquireMutex, type HoldOptions } from './acquire-mutex.ts';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import { makeStateFolder, statePath } from './state-folder.ts';

/**
 * Acquires the lock of a target, so that syncs run one after the other. The system releases it when the process ends.
 */
export async function acquireTargetLock(
  directory: string,
  options: HoldOptions,
  signal?: AbortSignal,
): Promise<FileMutex> {
  refuseDirectory(directory, directory, 'target');
  makeStateFolder(directory);
  const folder = statePath(directory);
  const files = { mutex: `${folder}/mutex.db`, holder: `${folder}/holder` };
  const acquired = await acquireMutex(files, options, signal);
  if ('holder' in acquired) throw targetLockedError(directory, acquired.holder);
  return acquired;
}

function targetLockedError(directory: string, holder: string): CatalogError {
  return new CatalogError(
    'materialize.locked',
    `Another sync is writing to ${directory} (${holder}).`,
    { details: { directory, holder } },
  );
}
