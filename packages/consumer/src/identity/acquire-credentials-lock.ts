import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { FileMutex } from '@catalog/core/node/file-mutex';
import { acquireMutex } from '../lock/acquire-mutex.ts';
import { credentialPath, makeCredentialFolder } from './credential-files.ts';

/** Maximum wait for the lock, longer than a request to the provider. */
const WAIT_MS = 30_000;

export async function acquireCredentialsLock(
  folder: string,
  origin: string,
  signal?: AbortSignal,
): Promise<FileMutex> {
  makeCredentialFolder(folder);
  const path = credentialPath(folder, origin);
  const files = { mutex: `${path}.lock`, holder: `${path}.holder` };
  const acquired = await acquireMutex(files, { wait_ms: WAIT_MS }, signal);
  if (!('holder' in acquired)) return acquired;
  throw new CatalogError(
    'auth.token_expired',
    `${acquired.holder} has been refreshing the sign-in to ${origin} for too long.`,
    { suggested_action: 'Run the command again after that process ends.' },
  );
}
