import { readFileSync } from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import {
  getCacheFile,
  markUsed,
  partPath,
  removeCacheFile,
  writeCacheFile,
} from './cache-folder.ts';

/** Whose view of which registry: what one caller may see is nobody else's business (decision 65). */
export interface Viewer {
  registry: string;
  /** `open` where the registry tells nobody apart. */
  subject: string;
}

/** A manifest as it came, and the name the registry gave it. */
export interface CachedManifest {
  etag: string;
  bytes: Uint8Array;
}

const NEWLINE = 0x0a;

/** The manifest this viewer saw last, or undefined. */
export function getCachedManifest(folder: string, viewer: Viewer): CachedManifest | undefined {
  const name = nameOf(viewer);
  try {
    const file = readFileSync(partPath(folder, 'manifests', name));
    const end = file.indexOf(NEWLINE);
    const header: { etag?: unknown; hash?: unknown } = JSON.parse(file.toString('utf8', 0, end));
    const bytes = file.subarray(end + 1);
    if (typeof header.etag !== 'string' || header.hash !== bytesHash(bytes)) return undefined;
    markUsed(folder, getCacheFile(folder, 'manifests', name));
    return { etag: header.etag, bytes };
  } catch {
    return undefined;
  }
}

export function putCachedManifest(folder: string, viewer: Viewer, manifest: CachedManifest): void {
  const header = JSON.stringify({
    ...viewer,
    etag: manifest.etag,
    hash: bytesHash(manifest.bytes),
  });
  const bytes = Buffer.concat([Buffer.from(`${header}\n`), manifest.bytes]);
  writeCacheFile(folder, 'manifests', nameOf(viewer), bytes);
}

/** What somebody saw of a registry goes when they sign out of it. */
export function removeCachedManifest(folder: string, viewer: Viewer): void {
  removeCacheFile(folder, { part: 'manifests', name: nameOf(viewer) });
}

function nameOf({ registry, subject }: Viewer): string {
  return bytesHash(JSON.stringify([registry, subject])).slice('sha256:'.length);
}
