import { now } from '../clock.ts';
import { listCache, removeCacheFile, type CacheFile } from './cache-folder.ts';

/** Size limit of the cache; the least recently used files are removed first (SPEC-65). */
export const CACHE_BOUND_BYTES = 1024 ** 3;
/** Part of the limit that remains after pruning, so that not every sync prunes. */
const PRUNE_TARGET_RATIO = 0.9;

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Pruned {
  files: number;
  bytes: number;
}

export function pruneCache(
  folder: string,
  options: { days: number; dry_run: boolean },
): { removed: Pruned; kept: Pruned } {
  const oldest = now() - options.days * DAY_MS;
  const files = listCache(folder);
  const [removed, kept] = partition(files, ({ used_at }) => Math.floor(used_at) <= oldest);
  if (!options.dry_run) for (const file of removed) removeCacheFile(folder, file);
  return { removed: sum(removed), kept: sum(kept) };
}

export function pruneToSize(folder: string, bound = CACHE_BOUND_BYTES): void {
  const files = listCache(folder);
  let { bytes } = sum(files);
  if (bytes <= bound) return;
  for (const file of files.toSorted((a, b) => a.used_at - b.used_at)) {
    if (bytes <= bound * PRUNE_TARGET_RATIO) return;
    if (removeCacheFile(folder, file)) bytes -= file.bytes;
  }
}

export function describeCache(folder: string): Record<CacheFile['part'], Pruned> {
  const files = listCache(folder);
  const of = (part: CacheFile['part']): Pruned => sum(files.filter((file) => file.part === part));
  return {
    packs: of('packs'),
    blobs: of('blobs'),
    manifests: of('manifests'),
    index: of('index'),
    signatures: of('signatures'),
  };
}

function sum(files: readonly CacheFile[]): Pruned {
  return { files: files.length, bytes: files.reduce((total, file) => total + file.bytes, 0) };
}

function partition<T>(items: readonly T[], matches: (item: T) => boolean): [T[], T[]] {
  return [items.filter(matches), items.filter((item) => !matches(item))];
}
