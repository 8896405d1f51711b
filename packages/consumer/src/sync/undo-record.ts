import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { lockPath, parseLock } from '../lock/read-lock.ts';
import { statePath, writeStateFile } from '../lock/state-folder.ts';
import { emptyLock, type LockFile } from '../lock/types.ts';
import { parseJournal, type Journal } from './journal.ts';
import { isCode } from './write-file.ts';

/** Keeps what a run replaces and removes, so that `catalog undo` can restore it. */
export interface UndoKeeper {
  /** Moves a file out of the workspace. */
  remove(path: string): void;
  /** Keeps a file that is about to be replaced. */
  keep(path: string): void;
  /** Keeps the lock that is about to be replaced; `rebuilt` if it was lost. */
  keepLock(rebuilt: string | undefined): void;
  /** Where the journal goes when the run is complete. */
  journal: string;
  /** Makes this run the one that can be undone. */
  finish(): void;
}

/** What the last run that changed something did, and how everything was before it. */
export interface UndoRecord {
  journal: Journal;
  previous: LockFile;
  /** The content a path had before the run; undefined if there was no file. */
  before(path: string): { bytes: Buffer; mode: number } | undefined;
}

function lastRun(directory: string): string {
  return `${statePath(directory)}/undo`;
}

function nextRun(directory: string): string {
  return `${lastRun(directory)}.next`;
}

/** Whether the run that wrote `undo.next` is complete: moving its journal there is its last step. */
function isComplete(directory: string): boolean {
  return existsSync(`${nextRun(directory)}/${JOURNAL}`);
}

function replaceLastRun(directory: string): void {
  rmSync(lastRun(directory), { recursive: true, force: true });
  renameSync(nextRun(directory), lastRun(directory));
}

const LOCK = 'sync.lock';
const JOURNAL = 'journal.json';

/**
 * Starts to keep copies. A run that finishes an interrupted one adds to the copies of that one: they
 * hold what was there before both, so a file that the interrupted run created is not kept.
 */
export function openUndo(directory: string, interrupted: Journal | undefined): UndoKeeper {
  const folder = nextRun(directory);
  if (isComplete(directory)) replaceLastRun(directory);
  if (interrupted === undefined) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return {
    remove: (path) => {
      const copy = copyPath(folder, path);
      if (existsSync(copy) || isCreatedBy(interrupted, directory, path)) {
        rmSync(`${directory}/${path}`, { force: true });
      } else moveFile(`${directory}/${path}`, copy);
    },
    keep: (path) => {
      const copy = copyPath(folder, path);
      if (existsSync(copy) || isCreatedBy(interrupted, directory, path)) return;
      linkFile(`${directory}/${path}`, copy);
    },
    keepLock: (rebuilt) => {
      // The interrupted run kept the lock from before it, or there was none.
      if (interrupted !== undefined) return;
      if (rebuilt !== undefined) writeStateFile(`${folder}/${LOCK}`, rebuilt);
      else if (existsSync(lockPath(directory))) linkFile(lockPath(directory), `${folder}/${LOCK}`);
    },
    journal: `${folder}/${JOURNAL}`,
    finish: () => replaceLastRun(directory),
  };
}

/** Whether an interrupted run created a file that it left no copy of. */
function isCreatedBy(interrupted: Journal | undefined, directory: string, path: string): boolean {
  if (interrupted === undefined) return false;
  const hashes = [
    ...interrupted.files.filter((row) => row.path === path).map(({ hash }) => hash),
    ...interrupted.shared.filter((row) => row.path === path).map(({ after }) => after),
  ];
  if (hashes.length === 0) return false;
  return hashes.includes(bytesHash(readRegularFile(`${directory}/${path}`, MAX_RECORD_BYTES)));
}

/** The record of the last run that changed something; undefined if there is none. */
export function getUndoRecord(directory: string): UndoRecord | undefined {
  const folder = isComplete(directory) ? nextRun(directory) : lastRun(directory);
  try {
    const journal = parseJournal(readText(`${folder}/${JOURNAL}`));
    if (journal === undefined) return undefined;
    const lock = `${folder}/${LOCK}`;
    return {
      journal,
      previous: existsSync(lock) ? parseLock(readText(lock), lock) : emptyLock(),
      before: (path) => {
        const copy = copyPath(folder, path);
        const stats = lstatSync(copy, { throwIfNoEntry: false });
        if (stats?.isFile() !== true) return undefined;
        return { bytes: readRegularFile(copy, MAX_RECORD_BYTES), mode: stats.mode & 0o777 };
      },
    };
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  return readRegularFile(path, MAX_RECORD_BYTES).toString('utf8');
}

function copyPath(folder: string, path: string): string {
  return `${folder}/${bytesHash(path).slice('sha256:'.length, 'sha256:'.length + 32)}`;
}

function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    // Another device, or nothing is there any more.
    if (!existsSync(from)) return;
    copyFileSync(from, to);
    rmSync(from, { force: true });
  }
}

/** The first copy is the one from before the run; a later one does not replace it. */
function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    // A file system without hard links, or another device.
    if (!isCode(error, 'EEXIST')) copyFileSync(from, to);
  }
}
