import { dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { MAX_TEXT_BYTES } from '@catalog/core/node/read-regular-file';
import {
  makePrivateFolder,
  readUserFile,
  userFolder,
  USER_FILE_MODE,
} from '@catalog/core/node/user-folder';
import { replaceFile } from '../sync/write-file.ts';

export type TrustedFiles = ReadonlyMap<string, string>;

export function trustFile(home: string): string {
  return `${userFolder(home)}/trust.json`;
}

/** Reads the trusted files; none if the record is missing or malformed. */
export function readTrustFile(path: string): TrustedFiles {
  try {
    const value: unknown = JSON.parse(readUserFile(path, MAX_TEXT_BYTES).toString('utf8'));
    const files = isRecord(value) && isRecord(value['files']) ? value['files'] : {};
    return new Map(
      Object.entries(files).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    );
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    return new Map();
  }
}

/** Records trusted files atomically; only the owner can access the record. */
export function recordTrust(path: string, files: readonly { path: string; hash: string }[]): void {
  const trusted = new Map(readTrustFile(path));
  for (const file of files) trusted.set(file.path, file.hash);
  writeTrustFile(path, trusted);
}

export function removeTrust(path: string, file: string): void {
  const files = new Map(readTrustFile(path));
  files.delete(file);
  writeTrustFile(path, files);
}

function writeTrustFile(path: string, files: TrustedFiles): void {
  const sorted = [...files].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = `${JSON.stringify({ version: 1, files: Object.fromEntries(sorted) }, undefined, 2)}\n`;
  makePrivateFolder(dirname(path));
  replaceFile(path, Buffer.from(text), USER_FILE_MODE, true);
}

/** Keeps a file trusted after an edit by catalog. On failure, the next run asks. */
export function moveTrust(path: string, file: string, hash: { from: string; to: string }): void {
  if (readTrustFile(path).get(file) !== hash.from) return;
  try {
    recordTrust(path, [{ path: file, hash: hash.to }]);
  } catch {
    return;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
