import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { FileMutex } from '@catalog/core/node/file-mutex';
import { holdMutex } from '../lock/hold-mutex.ts';
import { credentialPath, makeCredentialFolder } from './credential-files.ts';

/** Longer than the timeout for a request to the provider. */
const WAIT_MS = 30_000;

export async function holdCredentials(
  folder: string,
  origin: string,
  signal?: AbortSignal,
): Promise<FileMutex> {
  makeCredentialFolder(folder);
  const path = credentialPath(folder, origin);
  const files = { mutex: `${path}.lock`, holder: `${path}.holder` };
  const taken = await holdMutex(files, { wait_ms: WAIT_MS }, signal);
  if (!('holder' in taken)) return taken;
  throw new CatalogError(
    'auth.token_expired',
    `${taken.holder} has been refreshing the sign-in to ${origin} for too long.`,
    { suggested_action: 'Run the command again after that process ends.' },
  );
}
