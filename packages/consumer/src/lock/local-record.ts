import { copyFileSync, linkSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { lockPath, parseLock } from './read-lock.ts';
import { statePath } from './state-folder.ts';
import type { LockFile } from './types.ts';

function recordPath(directory: string): string {
  return `${statePath(directory)}/written.lock`;
}

/** Remembers the lock that was just written, on this machine and outside of version control. */
export function rememberLock(directory: string): void {
  const path = recordPath(directory);
  const lock = lstatSync(lockPath(directory), { throwIfNoEntry: false });
  if (lock?.ino === lstatSync(path, { throwIfNoEntry: false })?.ino) return;
  rmSync(path, { force: true });
  if (lock === undefined) return;
  try {
    linkSync(lockPath(directory), path);
  } catch {
    // A file system without hard links.
    copyFileSync(lockPath(directory), path);
  }
}

/**
 * The lock as the last run on this machine wrote it: proof of what catalog created here if `sync.lock`
 * was lost, or belongs to another branch. Undefined if the lock is still that one, or if there is no
 * usable record.
 */
export function getLocalRecord(directory: string): LockFile | undefined {
  const path = recordPath(directory);
  try {
    const stats = lstatSync(path);
    if (!stats.isFile()) return undefined;
    const lock = lstatSync(lockPath(directory), { throwIfNoEntry: false });
    if (lock?.ino === stats.ino) return undefined;
    const text = readFileSync(path, 'utf8');
    if (lock?.isFile() === true && readFileSync(lockPath(directory), 'utf8') === text) {
      return undefined;
    }
    return parseLock(text, path);
  } catch {
    return undefined; // none, or not one of ours: it proves nothing
  }
}
