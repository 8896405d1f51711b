import { readFileSync, writeFileSync } from 'node:fs';

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
 * process id has to be trusted (decision record 0001). Beside it the file `holder` names who has it.
 */
export async function tryFileMutex(files: {
  mutex: string;
  holder: string;
}): Promise<FileMutex | HeldElsewhere> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(files.mutex, { timeout: 0 });
  try {
    if (!tryLock(database)) {
      database.close();
      return { holder: readHolder(files.holder) };
    }
    writeFileSync(files.holder, `process ${process.pid}\n`);
  } catch (error) {
    database.close();
    throw error;
  }
  return { release: () => database.close() };
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
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'another process';
  }
}
