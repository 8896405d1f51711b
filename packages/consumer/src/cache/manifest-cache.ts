import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { now } from '../clock.ts';
import {
  getCacheFile,
  markUsed,
  partPath,
  removeCacheFile,
  writeCacheFile,
} from './cache-folder.ts';

/** Caller and registry of a cached view. Callers never share views (SPEC-65). */
export interface Viewer {
  registry: string;
  /** Subject of the caller; `open` without authentication. */
  subject: string;
}

export interface CachedManifest {
  etag: string;
  bytes: Uint8Array;
  seen_at: number;
}

const NEWLINE = 0x0a;

export function getCachedManifest(folder: string, viewer: Viewer): CachedManifest | undefined {
  const name = viewerName(viewer);
  try {
    const file = readRegularFile(partPath(folder, 'manifests', name), MAX_RECORD_BYTES);
    const end = file.indexOf(NEWLINE);
    const header: { etag?: unknown; hash?: unknown; seen_at?: unknown } = JSON.parse(
      file.toString('utf8', 0, end),
    );
    const bytes = file.subarray(end + 1);
    if (typeof header.etag !== 'string' || header.hash !== bytesHash(bytes)) return undefined;
    markUsed(folder, getCacheFile(folder, 'manifests', name));
    const seen_at = typeof header.seen_at === 'number' ? header.seen_at : 0;
    return { etag: header.etag, bytes, seen_at };
  } catch {
    return undefined;
  }
}

export function putCachedManifest(
  folder: string,
  viewer: Viewer,
  manifest: Pick<CachedManifest, 'etag' | 'bytes'>,
): void {
  const header = JSON.stringify({
    ...viewer,
    etag: manifest.etag,
    hash: bytesHash(manifest.bytes),
    seen_at: now(),
  });
  const bytes = Buffer.concat([Buffer.from(`${header}\n`), manifest.bytes]);
  writeCacheFile(folder, 'manifests', viewerName(viewer), bytes);
}

export function removeCachedManifest(folder: string, viewer: Viewer): void {
  removeCacheFile(folder, { part: 'manifests', name: viewerName(viewer) });
}

/** Returns the prefix of a viewer's files, which does not reveal the viewer. */
export function viewerName({ registry, subject }: Viewer): string {
  return bytesHash(JSON.stringify([registry, subject])).slice('sha256:'.length);
}
