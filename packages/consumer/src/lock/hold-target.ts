import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { FileMutex } from '@catalog/core/node/file-mutex';
import { holdMutex, type HoldOptions } from './hold-mutex.ts';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import { makeStateFolder, statePath } from './state-folder.ts';

/** Allows one sync of a target at a time. The system releases the lock when the process ends. */
export async function holdTarget(
  directory: string,
  options: HoldOptions,
  signal?: AbortSignal,
): Promise<FileMutex> {
  refuseDirectory(directory, directory, 'target');
  makeStateFolder(directory);
  const folder = statePath(directory);
  const files = { mutex: `${folder}/mutex.db`, holder: `${folder}/holder` };
  const taken = await holdMutex(files, options, signal);
  if ('holder' in taken) throw heldElsewhere(directory, taken.holder);
  return taken;
}

function heldElsewhere(directory: string, holder: string): CatalogError {
  return new CatalogError(
    'materialize.locked',
    `Another sync is writing to ${directory} (${holder}).`,
    { details: { directory, holder } },
  );
}
