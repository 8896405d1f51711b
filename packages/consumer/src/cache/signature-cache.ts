import { isJsonObject } from '@catalog/core/json';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { getCacheFile, markUsed, partPath, writeCacheFile } from './cache-folder.ts';

/** Version whose signature is cached. */
export interface SignedEntry {
  id: string;
  version: string;
  layer: string;
  content_hash: string;
}

/** Signatures of versions that one viewer received, for cached packages. They are verified at every use. */
export interface SignatureCache {
  get(entry: SignedEntry): unknown;
  put(entry: SignedEntry, bundle: unknown): void;
  flush(): void;
}

export function openSignatureCache(folder: string, name: string): SignatureCache {
  let bundles: Map<string, unknown> | undefined;
  let changed = false;
  return {
    get: (entry) => (bundles ??= readAll(folder, name)).get(keyOf(entry)),
    put: (entry, bundle) => {
      bundles ??= readAll(folder, name);
      if (bundles.get(keyOf(entry)) === bundle) return;
      bundles.set(keyOf(entry), bundle);
      changed = true;
    },
    flush: () => {
      if (!changed || bundles === undefined) return;
      changed = false;
      const bytes = Buffer.from(JSON.stringify(Object.fromEntries(bundles)));
      // A file that could not be read again would only take space.
      if (bytes.length <= MAX_RECORD_BYTES) writeCacheFile(folder, 'signatures', name, bytes);
    },
  };
}

function keyOf({ id, version, layer, content_hash }: SignedEntry): string {
  return JSON.stringify([id, version, layer, content_hash]);
}

function readAll(folder: string, name: string): Map<string, unknown> {
  try {
    const bytes = readRegularFile(partPath(folder, 'signatures', name), MAX_RECORD_BYTES);
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    markUsed(folder, getCacheFile(folder, 'signatures', name));
    return new Map(isJsonObject(value) ? Object.entries(value) : []);
  } catch {
    return new Map();
  }
}
