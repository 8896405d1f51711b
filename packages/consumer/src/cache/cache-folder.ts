import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { now } from '../clock.ts';
import { uniqueName } from '../id.ts';
import { writeNew } from '../sync/write-file.ts';

/**
 * Parts of the cache: packages, large files, manifests, and an index of loaded artifacts per registry and subject. All
 * of it can be fetched again.
 */
export const CACHE_PARTS = ['packs', 'blobs', 'manifests', 'index', 'signatures'] as const;
export type CachePart = (typeof CACHE_PARTS)[number];

export interface CacheFile {
  part: CachePart;
  name: string;
  bytes: number;
  /** Time of the last use in milliseconds since the epoch, in steps of one hour. */
  used_at: number;
}

/** Minimum interval between updates of the last-used time. */
const LAST_USED_INTERVAL_MS = 60 * 60 * 1000;

/** Age after which the temporary file of a crashed writer is removed. */
const STALE_MS = 24 * 60 * 60 * 1000;
const TEMPORARY = /^\./;

export function partPath(folder: string, part: CachePart, name = ''): string {
  return name === '' ? `${folder}/${part}` : `${folder}/${part}/${name}`;
}

/**
 * Writes a cache file atomically, readable only by its owner. Concurrent writers are safe, because the same name means
 * the same content or the last writer may win. Ignores errors, because the cache is optional.
 */
export function writeCacheFile(
  folder: string,
  part: CachePart,
  name: string,
  bytes: Uint8Array,
): boolean {
  const temporary = `.${uniqueName()}`;
  const path = partPath(folder, part, temporary);
  try {
    mkdirSync(partPath(folder, part), { recursive: true, mode: 0o700 });
    writeNew(path, bytes, 0o600, false);
    renameSync(path, partPath(folder, part, name));
    return true;
  } catch {
    removeCacheFile(folder, { part, name: temporary });
    return false;
  }
}

/** Lists the files in one part and removes stale temporary files. */
export function listPart(folder: string, part: CachePart): CacheFile[] {
  const files: CacheFile[] = [];
  for (const name of namesIn(partPath(folder, part))) {
    const file = getCacheFile(folder, part, name);
    if (file === undefined) continue;
    if (!TEMPORARY.test(name)) files.push(file);
    else if (now() - file.used_at > STALE_MS) removeCacheFile(folder, file);
  }
  return files;
}

export function getCacheFile(folder: string, part: CachePart, name: string): CacheFile | undefined {
  try {
    const stats = lstatSync(partPath(folder, part, name), { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return undefined;
    return { part, name, bytes: stats.size, used_at: stats.mtimeMs };
  } catch {
    return undefined;
  }
}

export function listCache(folder: string): CacheFile[] {
  return CACHE_PARTS.flatMap((part) => listPart(folder, part));
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

export function markUsed(folder: string, file: CacheFile | undefined): void {
  const time = now();
  if (file === undefined || time - file.used_at < LAST_USED_INTERVAL_MS) return;
  const { part, name } = file;
  try {
    utimesSync(partPath(folder, part, name), time / 1000, time / 1000);
  } catch {
    // The file was removed in the meantime, or is not writable.
  }
}

/** Removes a file. Returns true if it no longer exists, even if another process removed it. */
export function removeCacheFile(
  folder: string,
  { part, name }: Pick<CacheFile, 'part' | 'name'>,
): boolean {
  try {
    rmSync(partPath(folder, part, name), { force: true });
    return true;
  } catch {
    return false;
  }
}
