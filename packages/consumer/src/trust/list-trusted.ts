import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { nearest } from '@catalog/core/text/nearest';
import { readFileSync } from 'node:fs';
import { readTrustFile, removeTrust } from './trust-file.ts';

export interface TrustedFile {
  /** Path of the file; for an entry of it, followed by `#` and a name. */
  file: string;
  trusted_hash: string;
  /** Current hash; undefined for an unreadable file, or if only an entry is trusted. */
  current_hash: string | undefined;
  state: 'unchanged' | 'changed' | 'missing' | 'entry';
}

export function listTrusted(trust_file: string): TrustedFile[] {
  return [...readTrustFile(trust_file)].map(([file, hash]) => toTrusted(file, hash));
}

export function loadTrusted(trust_file: string, cwd: string, name: string): TrustedFile {
  const files = readTrustFile(trust_file);
  const file = files.has(name) ? name : resolve(cwd, name);
  const hash = files.get(file);
  if (hash !== undefined) return toTrusted(file, hash);
  const near = nearest(file, new Set(files.keys()));
  throw new CatalogError('registry.not_found', `You have not trusted ${file}.`, {
    suggested_action:
      near === undefined
        ? 'Run `catalog trust list` to see all trusted files.'
        : `Did you mean ${near}?`,
  });
}

export function revokeTrust(trust_file: string, cwd: string, name: string): TrustedFile {
  const trusted = loadTrusted(trust_file, cwd, name);
  removeTrust(trust_file, trusted.file);
  return trusted;
}

function toTrusted(file: string, trusted_hash: string): TrustedFile {
  if (file.includes('#')) return { file, trusted_hash, current_hash: undefined, state: 'entry' };
  const current_hash = hashOf(file);
  if (current_hash === undefined) return { file, trusted_hash, current_hash, state: 'missing' };
  const state = current_hash === trusted_hash ? 'unchanged' : 'changed';
  return { file, trusted_hash, current_hash, state };
}

function hashOf(path: string): string | undefined {
  try {
    return bytesHash(readFileSync(path));
  } catch {
    return undefined;
  }
}
