import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { uniqueName } from '../id.ts';
import {
  getCacheFile,
  listPart,
  markUsed,
  partPath,
  removeCacheFile,
  writeCacheFile,
  type CacheFile,
} from './cache-folder.ts';
import {
  encodePack,
  readPackIndex,
  readRecords,
  type PackedRecord,
  type PackPlace,
} from './pack-file.ts';
import { decodeRecord, encodeRecord, type CachedFile } from './package-record.ts';
import { pruneToSize } from './prune-cache.ts';

export interface PackageCache {
  /** Returns those of the packages that are cached. The caller must verify their hashes. */
  get(content_hashes: Iterable<string>): Map<string, CachedFile[]>;
  /** Adds a package. Packages are buffered until a pack is full or `flush` is called. */
  put(content_hash: string, files: readonly CachedFile[]): void;
  /** Marks a package whose content does not match its hash, so that `get` no longer returns it. */
  discard(content_hash: string): void;
  /** Returns a large file after verifying its hash. */
  getBlob(content_hash: string): Uint8Array | undefined;
  putBlob(content_hash: string, bytes: Uint8Array): void;
  flush(): void;
}

/** Size at which a pack is written. An interrupted run loses the packages of an unwritten pack. */
const PACK_BYTES = 4 * 1024 * 1024;
const MAX_SMALL_PACKS = 64;
const SMALL_PACK_BYTES = 256 * 1024;

interface Located {
  pack: CacheFile;
  place: PackPlace;
}

export function openPackageCache(folder: string): PackageCache {
  let located: Map<string, Located> | undefined;
  let held: PackedRecord[] = [];
  let heldBytes = 0;
  let wrote = false;

  function writeHeld(): void {
    if (held.length === 0) return;
    wrote = writeCacheFile(folder, 'packs', uniqueName(), encodePack(held)) || wrote;
    held = [];
    heldBytes = 0;
  }

  return {
    get: (content_hashes) => {
      located ??= locateAll(folder);
      return readPackages(folder, located, content_hashes);
    },
    put: (content_hash, files) => {
      located ??= locateAll(folder);
      const found = located.get(content_hash);
      if (found !== undefined && isHeld(folder, found)) {
        markUsed(folder, found.pack);
        return;
      }
      const bytes = encodeRecord(files);
      held.push({ content_hash, bytes });
      heldBytes += bytes.length;
      if (heldBytes >= PACK_BYTES) writeHeld();
    },
    discard: (content_hash) => {
      const found = located?.get(content_hash);
      if (found !== undefined) removeCacheFile(folder, found.pack);
      located?.delete(content_hash);
    },
    getBlob: (content_hash) => readBlob(folder, content_hash),
    putBlob: (content_hash, bytes) => {
      wrote = writeCacheFile(folder, 'blobs', blobName(content_hash), bytes) || wrote;
    },
    flush: () => {
      writeHeld();
      if (!wrote) return;
      joinSmallPacks(folder);
      pruneToSize(folder);
      located = undefined;
      wrote = false;
    },
  };
}

function isHeld(folder: string, { pack }: Located): boolean {
  return getCacheFile(folder, 'packs', pack.name)?.bytes === pack.bytes;
}

function locateAll(folder: string): Map<string, Located> {
  const located = new Map<string, Located>();
  for (const pack of listPart(folder, 'packs')) {
    const index = readPackIndex(partPath(folder, 'packs', pack.name));
    for (const [content_hash, place] of index) located.set(content_hash, { pack, place });
  }
  return located;
}

function readPackages(
  folder: string,
  located: ReadonlyMap<string, Located>,
  content_hashes: Iterable<string>,
): Map<string, CachedFile[]> {
  const wanted = new Map<CacheFile, { content_hash: string; place: PackPlace }[]>();
  for (const content_hash of content_hashes) {
    const found = located.get(content_hash);
    if (found === undefined) continue;
    const rows = wanted.get(found.pack);
    const row = { content_hash, place: found.place };
    if (rows === undefined) wanted.set(found.pack, [row]);
    else rows.push(row);
  }
  const packages = new Map<string, CachedFile[]>();
  for (const [pack, rows] of wanted) {
    const path = partPath(folder, 'packs', pack.name);
    const places = rows.map(({ place }) => place);
    const records = readRecords(path, places, pack.bytes);
    for (const [at, { content_hash }] of rows.entries()) {
      const record = records[at];
      const files = record === undefined ? undefined : decodeRecord(record);
      if (files !== undefined) packages.set(content_hash, files);
    }
    markUsed(folder, pack);
  }
  return packages;
}

function blobName(content_hash: string): string {
  return content_hash.slice('sha256:'.length);
}

function readBlob(folder: string, content_hash: string): Uint8Array | undefined {
  const name = blobName(content_hash);
  try {
    const bytes = readRegularFile(partPath(folder, 'blobs', name), MAX_RECORD_BYTES);
    if (bytesHash(bytes) === content_hash) {
      markUsed(folder, getCacheFile(folder, 'blobs', name));
      return bytes;
    }
    removeCacheFile(folder, { part: 'blobs', name });
  } catch {
    // The file is not in the cache.
  }
  return undefined;
}

/** Joins small packs, because each sync with a download creates one. */
function joinSmallPacks(folder: string): void {
  const small = listPart(folder, 'packs').filter(({ bytes }) => bytes < SMALL_PACK_BYTES);
  if (small.length < MAX_SMALL_PACKS) return;
  const records = new Map<string, Uint8Array>();
  for (const { name, bytes } of small) {
    const path = partPath(folder, 'packs', name);
    const index = [...readPackIndex(path)];
    const found = readRecords(
      path,
      index.map(([, place]) => place),
      bytes,
    );
    for (const [at, [content_hash]] of index.entries()) {
      const record = found[at];
      if (record !== undefined) records.set(content_hash, record);
    }
  }
  const joined = [...records].map(([content_hash, bytes]) => ({ content_hash, bytes }));
  if (!writeCacheFile(folder, 'packs', uniqueName(), encodePack(joined))) return;
  for (const pack of small) removeCacheFile(folder, pack);
}
