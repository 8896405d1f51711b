import { createReadStream, type Stats } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ObjectRecord, Objects } from '@catalog/core/ports/objects';
import type { Tenant } from '@catalog/core/ports/tenant';
import { formatLastRun, lastRunFile, parseLastRun } from './last-run-file.ts';
import { digestOf, requireMatchingHash } from './object-hash.ts';
import { formatOwner, OWNER_FILE, parseOwner } from './owner-file.ts';
import { verifiedStream } from './verified-stream.ts';

/** Options of an object store in a directory. */
export interface FilesystemObjectsOptions {
  root: string;
  newId: () => string;
}

/** Minimum age at which temporary files are removed: a crashed process may have left them. */
const ABANDONED_MS = 3_600_000;

/**
 * Stores each object in a file named by its hash. The file is renamed only after its content is on disk, so every file
 * with a hash as its name is complete.
 */
export async function openFilesystemObjects(options: FilesystemObjectsOptions): Promise<Objects> {
  const { root, newId } = options;
  const temporary = join(root, 'tmp');
  const owner = join(root, OWNER_FILE);
  await withStoreErrors(async () => {
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    await removeAbandoned(temporary, await probe());
  });

  const pathOf = (tenant: Tenant, content_hash: string): string =>
    pathIn(root, tenant, content_hash);

  async function removeObject(tenant: Tenant, content_hash: string): Promise<void> {
    const path = pathOf(tenant, content_hash);
    await withStoreErrors(() => rm(path, { force: true }));
  }

  async function probe(): Promise<number> {
    const path = join(temporary, newId());
    try {
      await writeDurably(path, new Uint8Array([0]));
      return (await stat(path)).mtimeMs;
    } finally {
      await rm(path, { force: true });
    }
  }

  async function writeWhole(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    const incomplete = join(temporary, newId());
    try {
      await writeDurably(incomplete, bytes, signal);
      await makeFolder(dirname(path));
      await rename(incomplete, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(incomplete, { force: true });
      throw error;
    }
  }

  return {
    is_shared: false,
    async put(tenant, content_hash, bytes, signal) {
      const path = pathOf(tenant, content_hash);
      requireMatchingHash(content_hash, bytes);
      await withStoreErrors(async () => {
        if ((await sizeOf(path)) !== bytes.length) await writeWhole(path, bytes, signal);
      });
    },
    ...readFilesystemObjects(root),
    presign: async () => undefined,
    list: (tenant, { after, limit }) =>
      withStoreErrors(() =>
        listFiles(join(root, String(tenant)), after === '' ? '' : digestOf(after), limit),
      ),
    remove: removeObject,
    purge: removeObject,
    getOwner: () => withStoreErrors(() => readOwner(owner)),
    setOwner: (identity, { replace }) =>
      withStoreErrors(async () => {
        const before = replace ? undefined : await readOwner(owner);
        if (before !== undefined) return before;
        await writeWhole(owner, formatOwner(identity));
        return identity;
      }),
    getLastRun: (run) =>
      withStoreErrors(async () => {
        const bytes = await readPresent(join(root, lastRunFile(run)));
        return bytes && parseLastRun(bytes);
      }),
    setLastRun: (run, time) =>
      withStoreErrors(() => writeWhole(join(root, lastRunFile(run)), formatLastRun(time))),
    probe: () => withStoreErrors(async () => void (await probe())),
  };
}

/** Opens a directory of objects for reading, without creating or changing it. */
export function readFilesystemObjects(root: string): Pick<Objects, 'size' | 'open'> {
  return {
    size: (tenant, content_hash) =>
      withStoreErrors(() => sizeOf(pathIn(root, tenant, content_hash))),
    async open(tenant, content_hash, signal) {
      const path = pathIn(root, tenant, content_hash);
      const size = await withStoreErrors(() => sizeOf(path));
      if (size === undefined) return undefined;
      const pieces = createReadStream(path, signal === undefined ? {} : { signal });
      return { size, stream: verifiedStream({ content_hash, size, location: path }, pieces) };
    },
  };
}

/**
 * Creates a hard link to an object in another directory. Returns false if the object is missing or
 * damaged, or if the file system does not support hard links.
 */
export async function linkObject(
  from: string,
  to: string,
  tenant: Tenant,
  content_hash: string,
): Promise<boolean> {
  const path = pathIn(to, tenant, content_hash);
  try {
    const object = await readFilesystemObjects(from).open(tenant, content_hash);
    if (object === undefined) return false;
    await object.stream.pipeTo(new WritableStream());
    await makeFolder(dirname(path));
    await link(pathIn(from, tenant, content_hash), path);
    await syncFolder(dirname(path));
    return true;
  } catch {
    // The caller copies the object instead, and reports the error of that copy.
    return false;
  }
}

function pathIn(root: string, tenant: Tenant, content_hash: string): string {
  const hex = digestOf(content_hash);
  return join(root, String(tenant), hex.slice(0, 2), hex.slice(2, 4), hex);
}

async function readOwner(path: string): Promise<string | undefined> {
  const bytes = await readPresent(path);
  return bytes && parseOwner(bytes);
}

async function readPresent(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await statPresent(path))?.size;
}

/** Returns undefined if the file does not exist. Other processes may remove files at any time. */
async function statPresent(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function listFiles(folder: string, after: string, limit: number): Promise<ObjectRecord[]> {
  const records: ObjectRecord[] = [];
  for (const first of await namesIn(folder)) {
    if (first < after.slice(0, 2)) continue;
    for (const second of await namesIn(join(folder, first))) {
      if (first + second < after.slice(0, 4)) continue;
      for (const hex of await namesIn(join(folder, first, second))) {
        if (hex <= after) continue;
        const found = await statPresent(join(folder, first, second, hex));
        if (found === undefined) continue;
        const { size, mtime } = found;
        records.push({ content_hash: `sha256:${hex}`, size, stored_at: mtime });
        if (records.length === limit) return records;
      }
    }
  }
  return records;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function writeDurably(path: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes, signal === undefined ? {} : { signal });
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Creates a directory and flushes each parent, so that the new names survive a crash. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function removeAbandoned(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await statPresent(path);
    if (found !== undefined && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

/** Converts file system errors to `registry.unavailable`, without paths in the message. */
async function withStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    const code = 'code' in error ? String(error.code) : error.name;
    const reason = REASONS[code] ?? code;
    throw new CatalogError('registry.unavailable', `The object store is unavailable: ${reason}.`, {
      cause: error,
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is exceeded',
  EIO: 'the disk reports an error',
  ENOENT: 'its directory is missing',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a directory',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};
