import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PROGRAMS } from './folders.ts';

export interface Installation {
  /** Name and version: another version is another folder. */
  key: string;
  /** Fills the folder it is given, which becomes the installed copy only when this returns. */
  build: (folder: string) => Promise<void>;
  /** The cache; the project's own unless a test brings an empty one. */
  cache?: string;
}

/** Longer than the slowest build on a slow machine. */
const LOCK_TIMEOUT_MS = 1_200_000;

const running = new Map<string, Promise<string>>();

/** The folder of an installed program; builds it the first time, one builder at a time. */
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
  // Two builders may be threads of one process or two processes: a file lock holds for both.
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
