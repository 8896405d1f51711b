import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { MAX_TEXT_BYTES } from '@catalog/core/node/read-regular-file';
import { makePrivateFolder, readUserFile, USER_FILE_MODE } from '@catalog/core/node/user-folder';
import { replaceFile } from '../sync/write-file.ts';
import { isRecord } from './stored-tokens.ts';

/**
 * Returns the file that records where tokens are stored, so that anonymous commands never open the keychain. Without a
 * keychain, the file also contains the tokens.
 */
export function credentialPath(folder: string, origin: string): string {
  return `${folder}/${encodeURIComponent(origin)}.json`;
}

export function getCredentialFile(
  folder: string,
  origin: string,
): Record<string, unknown> | undefined {
  try {
    const file = readUserFile(credentialPath(folder, origin), MAX_TEXT_BYTES);
    const value: unknown = JSON.parse(file.toString('utf8'));
    return isRecord(value) && value['registry'] === origin ? value : undefined;
  } catch (error) {
    if (error instanceof CatalogError) throw error; // another user can change the file
    return undefined;
  }
}

/** Writes the file atomically; only its owner can read it. */
export function putCredentialFile(
  folder: string,
  origin: string,
  document: Readonly<Record<string, unknown>>,
): void {
  makeCredentialFolder(folder);
  const text = `${JSON.stringify({ registry: origin, ...document }, undefined, 2)}\n`;
  replaceFile(credentialPath(folder, origin), Buffer.from(text), USER_FILE_MODE, true);
}

export function removeCredentialFile(folder: string, origin: string): void {
  rmSync(credentialPath(folder, origin), { force: true });
}

export function makeCredentialFolder(folder: string): void {
  makePrivateFolder(dirname(folder));
  makePrivateFolder(folder);
}
