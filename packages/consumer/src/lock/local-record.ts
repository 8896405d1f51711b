import { existsSync } from 'node:fs';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import type { LocalState } from './local-state.ts';
import { lockPath, MAX_LOCK_BYTES, parseLock } from './read-lock.ts';
import type { LockFile } from './types.ts';

const NAME = 'written.lock';

/** Records what catalog created on this machine, in the format of the lock. */
export function rememberLock(state: LocalState, text: string): void {
  if (!existsSync(lockPath(state.directory))) state.remove(NAME);
  else if (state.read(NAME)?.toString('utf8') !== text) state.write(NAME, text);
}

export type LocalRecord =
  /** This user's catalog wrote the lock, so all rows are valid. */
  | { kind: 'same' }
  /** This user's catalog wrote other rows. Those are valid; rows of the lock must match the disk. */
  | { kind: 'other'; lock: LockFile }
  /** This user has no record, so rows of the lock must match the disk. */
  | { kind: 'none' };

/** Returns what the last run of this user recorded for a target (SPEC-89). */
export function getLocalRecord(state: LocalState): LocalRecord {
  const text = state.read(NAME)?.toString('utf8');
  if (text === undefined) return { kind: 'none' };
  return text === readText(lockPath(state.directory)) ? { kind: 'same' } : parse(text);
}

/** Returns the record of any user, which must not be trusted. */
export function getUnverifiedRecord(state: LocalState): LockFile | undefined {
  const text = state.readUnverified(NAME)?.toString('utf8');
  const record = text === undefined ? undefined : parse(text);
  return record?.kind === 'other' ? record.lock : undefined;
}

function parse(text: string): LocalRecord {
  try {
    return { kind: 'other', lock: parseLock(text, NAME) };
  } catch {
    return { kind: 'none' };
  }
}

function readText(path: string): string | undefined {
  try {
    return readRegularFile(path, MAX_LOCK_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
}
