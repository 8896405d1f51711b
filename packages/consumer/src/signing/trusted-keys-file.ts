import { dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isJsonObject } from '@catalog/core/json';
import { MAX_RECORD_BYTES } from '@catalog/core/node/read-regular-file';
import {
  makePrivateFolder,
  readUserFile,
  userFolder,
  USER_FILE_MODE,
} from '@catalog/core/node/user-folder';
import { readKeySet, type KeySet } from '@catalog/core/signing/key-set';
import { replaceFile } from '../sync/write-file.ts';

/** Recorded trust in the keys of one registry origin (SPEC-94). */
export interface TrustedKeys {
  /** Document of the key set that was accepted last. */
  document: string;
  set: KeySet;
  /** Tenant of each viewer, by the name that the cache uses for the viewer. */
  tenants: Readonly<Record<string, string>>;
}

export function trustedKeysFile(home: string): string {
  return `${userFolder(home)}/signing-keys.json`;
}

/** Returns what was recorded for an origin. A malformed file is an error: it would lose the trust. */
export function readTrustedKeys(path: string, origin: string): TrustedKeys | undefined {
  const entry = readRegistries(path)[origin];
  if (entry === undefined) return undefined;
  if (!isJsonObject(entry) || typeof entry['document'] !== 'string') throw malformed(path);
  const { document, tenants } = entry;
  const set = readKeySet(document);
  if (set === undefined) throw malformed(path);
  return { document, set, tenants: isJsonObject(tenants) ? onlyStrings(tenants) : {} };
}

/** Records accepted keys. Returns false if the home folder is not writable. */
export function recordTrustedKeys(
  path: string,
  origin: string,
  { document, tenants }: Pick<TrustedKeys, 'document' | 'tenants'>,
): boolean {
  const registries = { ...readRegistries(path), [origin]: { document, tenants } };
  const text = `${JSON.stringify({ version: 1, registries }, undefined, 2)}\n`;
  try {
    makePrivateFolder(dirname(path));
    replaceFile(path, Buffer.from(text), USER_FILE_MODE, true);
    return true;
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    return false;
  }
}

function readRegistries(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readUserFile(path, MAX_RECORD_BYTES).toString('utf8');
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw malformed(path);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value) && isJsonObject(value['registries'])) return value['registries'];
  } catch {
    // Reported below.
  }
  throw malformed(path);
}

function onlyStrings(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}

function malformed(path: string): CatalogError {
  return new CatalogError(
    'materialize.signature_invalid',
    `${path}, the record of trusted signing keys, cannot be read, so no signature can be verified.`,
    {
      details: { reason: 'trust_record' },
      suggested_action: `Restore ${path} from a backup, or remove it and check the key that the next run shows.`,
    },
  );
}
