import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { now } from '../clock.ts';
import { uniqueName } from '../id.ts';
import { writeNew } from '../sync/write-file.ts';

/**
 * What the cache keeps: packs of packages, large files by their hash, and for each registry and
 * subject the manifest last seen and an index of what it was served. Everything in it can be fetched
 * again.
 */
export const CACHE_PARTS = ['packs', 'blobs', 'manifests', 'index'] as const;
export type CachePart = (typeof CACHE_PARTS)[number];

/** One file of the cache. */
export interface CacheFile {
  part: CachePart;
  name: string;
  bytes: number;
  /** Milliseconds since the epoch, to the hour. */
  used_at: number;
}

/** What is used often need not say so each time. */
const USE_GRAIN_MS = 60 * 60 * 1000;

/** Temporary files of writers that died are nobody's after this. */
const STALE_MS = 24 * 60 * 60 * 1000;
const TEMPORARY = /^\./;

export function partPath(folder: string, part: CachePart, name = ''): string {
  return name === '' ? `${folder}/${part}` : `${folder}/${part}/${name}`;
}

/**
 * Writes one file whole, whoever else writes it too: equal names hold equal bytes, or the last one
 * wins. It may hold what only its owner may read. A cache that cannot be written is none; nothing
 * fails for it.
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

/** Everything in one part of the cache; what writers left half-written is taken away on the way. */
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

/** One file of the cache, or undefined where it is gone. */
export function getCacheFile(folder: string, part: CachePart, name: string): CacheFile | undefined {
  try {
    const stats = lstatSync(partPath(folder, part, name), { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return undefined;
    return { part, name, bytes: stats.size, used_at: stats.mtimeMs };
  } catch {
    return undefined; // the folder is none, or not ours to look into
  }
}

export function listCache(folder: string): CacheFile[] {
  return CACHE_PARTS.flatMap((part) => listPart(folder, part));
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return []; // nothing was ever cached
  }
}

/** Remembers that a file was of use, so that others go first. */
export function markUsed(folder: string, file: CacheFile | undefined): void {
  const time = now();
  if (file === undefined || time - file.used_at < USE_GRAIN_MS) return;
  const { part, name } = file;
  try {
    utimesSync(partPath(folder, part, name), time / 1000, time / 1000);
  } catch {
    // pruned meanwhile, or not ours to touch
  }
}

/** Whether it is gone now; one that another process removed first is. */
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
