import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { MAX_TEXT_BYTES, readRegularFile } from './read-regular-file.ts';

/** Lock that is held until its release, or until the process ends for any reason. */
export interface FileMutex {
  release(): void;
}

/** Process that holds the lock, for messages: `process 4711`, or `another process` if unknown. */
export interface MutexHolder {
  holder: string;
}

const SQLITE_BUSY = 5;

/**
 * Tries to lock an empty file with SQLite. The kernel releases the lock when the process ends, so neither crashes nor
 * clocks nor process ids matter (ADR-0001). The file `holder` next to it names the process.
 */
export async function tryFileMutex(files: {
  mutex: string;
  holder: string;
}): Promise<FileMutex | MutexHolder> {
  const { DatabaseSync } = await import('node:sqlite');
  removeContent(files.mutex);
  makePrivate(files.mutex);
  const database = new DatabaseSync(files.mutex, { timeout: 0 });
  try {
    if (!tryLock(database)) {
      database.close();
      return { holder: readHolder(files.holder) };
    }
    writeHolder(files.holder);
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
}

const COMPANIONS = ['-journal', '-wal', '-shm'];

/**
 * Empties a lock file that catalog did not create: a clone can contain one, with a journal that names files for SQLite
 * to delete (SPEC-89). The file of a held lock is always empty.
 */
function removeContent(path: string): void {
  for (const suffix of COMPANIONS) rmSync(path + suffix, { recursive: true, force: true });
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.size === 0) return;
  // The file stays, so that a process that opens it at the same time waits for this one.
  if (stats.isFile() && stats.nlink === 1) truncateSync(path);
  else rmSync(path, { recursive: true, force: true });
}

const OWNER_ONLY = 0o600;

/**
 * Creates a lock file that other users cannot lock. An existing file is never opened, because closing it would release
 * a lock of this process.
 */
function makePrivate(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY));
  } else if ((stats.mode & 0o777) !== OWNER_ONLY && stats.uid === process.geteuid?.()) {
    chmodSync(path, OWNER_ONLY);
  }
}

/** `O_NOFOLLOW` prevents following a link; `O_NONBLOCK` prevents waiting for a pipe. */
const HOLDER_FLAGS =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_TRUNC |
  constants.O_NOFOLLOW |
  constants.O_NONBLOCK;

function writeHolder(path: string): void {
  const descriptor = openSync(path, HOLDER_FLAGS, OWNER_ONLY);
  try {
    writeSync(descriptor, `process ${process.pid}\n`);
  } finally {
    closeSync(descriptor);
  }
}

function tryLock(database: { exec(sql: string): void }): boolean {
  try {
    // The journal is in memory, because a journal file would remain if the process is killed.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

function readHolder(path: string): string {
  try {
    return readRegularFile(path, MAX_TEXT_BYTES).toString('utf8').trim();
  } catch {
    return 'another process';
  }
}
