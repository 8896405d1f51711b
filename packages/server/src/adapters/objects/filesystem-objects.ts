import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Objects } from '@catalog/core/ports/objects';
import type { Tenant } from '@catalog/core/ports/tenant';
import { digestOf, refuseOtherBytes } from './object-hash.ts';

export interface FilesystemObjectsOptions {
  /** The folder; made when it is not there. */
  root: string;
  /** A name nobody else uses. */
  newId: () => string;
}

/** Temporary files this old were left by a process that ended while it wrote. */
const ABANDONED_MS = 3_600_000;

/**
 * Objects as files named by their hash. A file gets its name only when its bytes are on the disk, so
 * whatever has the name is whole; writing it twice is harmless.
 */
export async function openFilesystemObjects(options: FilesystemObjectsOptions): Promise<Objects> {
  const { root, newId } = options;
  const temporary = join(root, 'tmp');
  await inStore(async () => {
    await mkdir(temporary, { recursive: true, mode: 0o700 });
    await removeAbandoned(temporary, await probe());
  });

  function pathOf(tenant: Tenant, content_hash: string): string {
    const hex = digestOf(content_hash);
    return join(root, String(tenant), hex.slice(0, 2), hex.slice(2, 4), hex);
  }

  /** Writes and removes a file; answers the time by the clock of the file system. */
  async function probe(): Promise<number> {
    const path = join(temporary, newId());
    try {
      await writeDurably(path, new Uint8Array([0]));
      return (await stat(path)).mtimeMs;
    } finally {
      await rm(path, { force: true });
    }
  }

  return {
    async put(tenant, content_hash, bytes, signal) {
      const path = pathOf(tenant, content_hash);
      refuseOtherBytes(content_hash, bytes);
      await inStore(async () => {
        if ((await sizeOf(path)) === bytes.length) return;
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
      });
    },
    size: (tenant, content_hash) => inStore(() => sizeOf(pathOf(tenant, content_hash))),
    async open(tenant, content_hash, signal) {
      const path = pathOf(tenant, content_hash);
      const size = await inStore(() => sizeOf(path));
      if (size === undefined) return undefined;
      const stream = createReadStream(path, signal === undefined ? {} : { signal });
      return { size, stream: Readable.toWeb(stream) };
    },
    presign: async () => undefined,
    probe: () => inStore(async () => void (await probe())),
  };
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
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

/** Makes a folder and those above it; each new name is durable once the folder it stands in is. */
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
    if (now - (await stat(path)).mtimeMs > ABANDONED_MS) await rm(path, { force: true });
  }
}

/** What the system refuses is the registry's trouble, told without naming its folders. */
async function inStore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    const reason = 'code' in error && error.code === 'ENOSPC' ? 'the disk is full' : error.name;
    throw new CatalogError('registry.unavailable', `The object store cannot be used: ${reason}.`, {
      cause: error,
    });
  }
}
