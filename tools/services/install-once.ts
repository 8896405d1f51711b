import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PROGRAMS } from './folders.ts';

export interface Installation {
  /** Each version has its own folder. */
  key: string;
  /** Fills a staging folder, which becomes the installed folder. */
  build: (folder: string) => Promise<void>;
  /** The project's cache unless a test uses an empty one. */
  cache?: string;
}

/** Longer than the slowest build on a slow machine. */
const LOCK_TIMEOUT_MS = 1_200_000;

const running = new Map<string, Promise<string>>();

/** Builds of one program never overlap. */
export function installOnce({ key, build, cache = PROGRAMS }: Installation): Promise<string> {
  const folder = join(cache, key);
  let installed = running.get(folder);
  if (!installed) {
    installed = install(folder, build).finally(() => running.delete(folder));
    running.set(folder, installed);
  }
  return installed;
}

async function install(folder: string, build: Installation['build']): Promise<string> {
  if (existsSync(folder)) return folder;
  mkdirSync(join(folder, '..'), { recursive: true });
  // Builds may run in threads of one process or in several processes; a file lock covers both.
  const mutex = new DatabaseSync(`${folder}.lock`, { timeout: LOCK_TIMEOUT_MS });
  try {
    mutex.exec('BEGIN EXCLUSIVE');
    if (existsSync(folder)) return folder;
    process.stderr.write(`installing ${folder}\n`);
    const staging = `${folder}.staging`;
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging);
    await build(staging);
    renameSync(staging, folder);
    return folder;
  } finally {
    mutex.close();
  }
}
