import { copyFileSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { CLOCK_STEP_MS } from '@catalog/core/node/fingerprint';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import type { LocalState } from '../lock/local-state.ts';
import { lockPath, parseLock } from '../lock/read-lock.ts';
import { writeStateFile } from '../lock/state-folder.ts';
import { emptyLock, type LockFile } from '../lock/types.ts';
import { hasHash } from './checked-writer.ts';
import { getUndoJournal, type AsideFile, type Journal } from './journal.ts';
import { moveToKept, type KeptFile } from './kept-files.ts';

/** Keeps replaced and removed files for `catalog undo`. */
export interface UndoKeeper {
  /** Files of this run, and of the interrupted one that it completes. */
  aside: AsideFile[];
  lock: string | undefined;
  asidePath(path: string): string;
  /** Makes the run undoable. Returns copies of the previous run that programs have changed since. */
  finish(): KeptFile[];
}

/** Record of the last run that changed something, with the previous state. */
export interface UndoRecord {
  journal: Journal;
  previous: LockFile;
  /** Returns the content of a path before the run; `lost` if the copy was changed. */
  before(path: string): FileBefore;
}

export type FileBefore =
  | { kind: 'file'; bytes: Buffer; mode: number }
  | { kind: 'absent' }
  | { kind: 'lost' };

const LAST = 'undo';
export const UNDO_NEXT = 'undo.next';
const LOCK = 'sync.lock';

/** Returns true if the run is complete: the last step moves its journal to `undo.next`. */
function isComplete({ folder }: LocalState): boolean {
  return existsSync(`${folder}/${UNDO_NEXT}/journal.json`);
}

export function undoFolder(state: LocalState): string {
  return isComplete(state) ? UNDO_NEXT : LAST;
}

function replaceLastRun(state: LocalState): KeptFile[] {
  const { folder } = state;
  const kept = keepLateCopies(state, LAST, { discard: true });
  rmSync(`${folder}/${LAST}`, { recursive: true, force: true });
  renameSync(`${folder}/${UNDO_NEXT}`, `${folder}/${LAST}`);
  return kept;
}

/** Moves late saves to `.catalog/kept`: a program may have written to a copy. `discard` removes all others. */
export function keepLateCopies(
  state: LocalState,
  name: string,
  { discard }: { discard: boolean },
): KeptFile[] {
  const { directory, folder } = state;
  const journal = getUndoJournal(state, name);
  const written = lstatSync(`${folder}/${name}/journal.json`, { throwIfNoEntry: false })?.mtimeMs;
  if (journal === undefined || written === undefined) return [];
  return journal.aside.flatMap((row) => {
    const aside = `${folder}/${name}/${row.name}`;
    const stats = lstatSync(aside, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    // The content was checked after the journal was written.
    const isLate = stats.mtimeMs >= written - CLOCK_STEP_MS;
    if (isLate && !hasHash(aside, row.hash)) return [moveToKept(directory, aside, row.path)];
    if (discard) rmSync(aside, { recursive: true, force: true });
    return [];
  });
}

interface UndoInput {
  moving: readonly { path: string; hash: string }[];
  interrupted: Journal | undefined;
  /** Rebuilt lock, if the lock file has other rows or is missing. */
  rebuilt_lock: string | undefined;
}

/** Starts keeping copies. A run that completes an interrupted one adds to its copies. */
export function openUndo(
  state: LocalState,
  { moving, interrupted, rebuilt_lock }: UndoInput,
): UndoKeeper {
  const folder = `${state.folder}/${UNDO_NEXT}`;
  const late = isComplete(state) ? replaceLastRun(state) : [];
  if (interrupted === undefined) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const earlier = (interrupted?.aside ?? []).filter(({ name }) => existsSync(`${folder}/${name}`));
  const rows = moving.map((file) => asideRow(file, earlier, interrupted));
  const paths = new Map(rows.map(({ path, name }) => [path, `${folder}/${name}`]));
  return {
    aside: [...earlier, ...rows],
    lock:
      interrupted === undefined
        ? keepLock(state.directory, `${folder}/${LOCK}`, rebuilt_lock)
        : interrupted.lock,
    asidePath: (path) => paths.get(path) ?? `${folder}/${nameOf(path)}`,
    finish: () => [...late, ...replaceLastRun(state)],
  };
}

function asideRow(
  { path, hash }: { path: string; hash: string },
  earlier: readonly AsideFile[],
  interrupted: Journal | undefined,
): AsideFile {
  const others = earlier.filter((row) => row.path === path).length;
  return {
    path,
    hash,
    name: others === 0 ? nameOf(path) : `${nameOf(path)}.${others}`,
    original: others === 0 && !isWrittenBy(interrupted, path, hash),
  };
}

function isWrittenBy(interrupted: Journal | undefined, path: string, hash: string): boolean {
  if (interrupted === undefined) return false;
  return (
    interrupted.files.some((row) => row.path === path && row.hash === hash) ||
    interrupted.shared.some((row) => row.path === path && row.after === hash)
  );
}

function keepLock(directory: string, to: string, rebuilt: string | undefined): string | undefined {
  if (rebuilt !== undefined) {
    writeStateFile(to, rebuilt);
    return bytesHash(rebuilt);
  }
  if (!existsSync(lockPath(directory))) return undefined;
  // A copy and not a hard link, because another program may write to the lock in place.
  copyFileSync(lockPath(directory), to);
  return bytesHash(readRegularFile(to, MAX_RECORD_BYTES));
}

export function getUndoRecord(state: LocalState): UndoRecord | undefined {
  const folder = undoFolder(state);
  try {
    const journal = getUndoJournal(state, folder);
    if (journal === undefined) return undefined;
    const copies = new Map(
      journal.aside.filter(({ original }) => original).map((row) => [row.path, row]),
    );
    return {
      journal,
      previous: readPrevious(`${state.folder}/${folder}/${LOCK}`, journal),
      before: (path) => {
        const row = copies.get(path);
        return row === undefined
          ? { kind: 'absent' }
          : readCopy(`${state.folder}/${folder}/${row.name}`, row);
      },
    };
  } catch {
    return undefined;
  }
}

/** Reads the previous lock, which must match the hash in the journal because others can change it. */
function readPrevious(path: string, { lock }: Journal): LockFile {
  if (lock === undefined) return emptyLock();
  const bytes = readRegularFile(path, MAX_RECORD_BYTES);
  if (bytesHash(bytes) !== lock) throw new Error(`${path} is not the lock before the last sync`);
  return parseLock(bytes.toString('utf8'), path);
}

function readCopy(path: string, { hash }: AsideFile): FileBefore {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return { kind: 'lost' };
  const bytes = readRegularFile(path, MAX_RECORD_BYTES);
  if (bytesHash(bytes) !== hash) return { kind: 'lost' };
  return { kind: 'file', bytes, mode: stats.mode & 0o777 };
}

function nameOf(path: string): string {
  return bytesHash(path).slice('sha256:'.length, 'sha256:'.length + 32);
}
