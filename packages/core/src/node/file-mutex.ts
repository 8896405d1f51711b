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

/** Held until released, or until the process ends in whatever way. */
export interface FileMutex {
  release(): void;
}

/** Who has it, for messages only: `process 4711`, or `another process` when it is not known. */
export interface HeldElsewhere {
  holder: string;
}

const SQLITE_BUSY = 5;

/**
 * One holder at a time, among all processes of a machine. The mutex is SQLite's lock on an empty
 * file: the kernel lets go of it when the process ends, so no crash leaves it locked and no clock or
 * process id has to be trusted (ADR-0001). Beside it the file `holder` names who has it.
 */
export async function tryFileMutex(files: {
  mutex: string;
  holder: string;
}): Promise<FileMutex | HeldElsewhere> {
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

/** What SQLite reads or replays next to a database. */
const COMPANIONS = ['-journal', '-wal', '-shm'];

/**
 * Empties a mutex that catalog did not create: a clone can contain one, and a journal next to it that
 * names files for SQLite to delete (SPEC-89). A mutex that a process of catalog holds is empty.
 */
function removeContent(path: string): void {
  for (const suffix of COMPANIONS) rmSync(path + suffix, { recursive: true, force: true });
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.size === 0) return;
  // The same file, so that a process that opens it at the same time waits for this one.
  if (stats.isFile() && stats.nlink === 1) truncateSync(path);
  else rmSync(path, { recursive: true, force: true });
}

const OWNER_ONLY = 0o600;

/**
 * Makes sure that only its owner can open the mutex: whoever can read it can lock it. The file is never
 * opened if it exists, because closing it would release the lock if this process holds it.
 */
function makePrivate(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY));
  } else if ((stats.mode & 0o777) !== OWNER_ONLY && stats.uid === process.geteuid?.()) {
    chmodSync(path, OWNER_ONLY);
  }
}

/** `O_NOFOLLOW` keeps a link from being followed, `O_NONBLOCK` a pipe from blocking. */
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
    // Without a journal of its own: one whose holder is killed would stay beside it.
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
