import { existsSync, rmSync } from 'node:fs';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { lockPath, parseLock } from './read-lock.ts';
import { statePath } from './state-folder.ts';
import type { LockFile } from './types.ts';

function recordPath(directory: string): string {
  return `${statePath(directory)}/written.lock`;
}

/** Remembers the lock of a completed run, on this machine and outside of version control. */
export function rememberLock(
  directory: string,
  text: string,
  write: (path: string, bytes: Uint8Array) => void,
): void {
  const path = recordPath(directory);
  if (!existsSync(lockPath(directory))) rmSync(path, { force: true });
  else if (readText(path) !== text) write(path, Buffer.from(text));
}

/**
 * The lock as the last run on this machine wrote it: proof of what catalog created here if `sync.lock`
 * was lost, or belongs to another branch. Undefined if the lock is still that one, or if there is no
 * usable record.
 */
export function getLocalRecord(directory: string): LockFile | undefined {
  const text = readText(recordPath(directory));
  if (text === undefined || text === readText(lockPath(directory))) return undefined;
  try {
    return parseLock(text, recordPath(directory));
  } catch {
    return undefined; // not one of ours: it proves nothing
  }
}

function readText(path: string): string | undefined {
  try {
    return readRegularFile(path, MAX_RECORD_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
}
