import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { now } from '../clock.ts';
import { makeStateFolder, statePath } from './state-folder.ts';

export interface HoldOptions {
  /** How long to wait for another sync to finish. */
  wait_ms: number;
  /** Called once, when waiting begins. */
  onWait?: (holder: string) => void;
}

export interface Hold {
  release(): void;
}

const RETRY_MS = 25;
const SQLITE_BUSY = 5;

/**
 * One sync per target at a time. The mutex is SQLite's lock on an empty file: the kernel lets go of
 * it when the process ends in whatever way, so no crash leaves a target locked and no clock or
 * process id has to be trusted.
 */
export async function holdTarget(
  directory: string,
  options: HoldOptions,
  signal?: AbortSignal,
): Promise<Hold> {
  makeStateFolder(directory);
  const { DatabaseSync } = await import('node:sqlite');
  const holderFile = `${statePath(directory)}/holder`;
  const database = new DatabaseSync(`${statePath(directory)}/mutex.db`, { timeout: 0 });
  const give_up_at = now() + options.wait_ms;
  let waited = false;
  try {
    while (!tryLock(database)) {
      const holder = readHolder(holderFile);
      if (now() >= give_up_at) throw heldElsewhere(directory, holder);
      if (!waited) options.onWait?.(holder);
      waited = true;
      await delay(RETRY_MS, undefined, signal === undefined ? {} : { signal });
    }
  } catch (error) {
    database.close();
    throw error;
  }
  writeFileSync(holderFile, `process ${process.pid}\n`);
  return { release: () => database.close() };
}

function tryLock(database: { exec(sql: string): void }): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

/** Who holds the target, for the message only. */
function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return 'another process';
  }
}

function heldElsewhere(directory: string, holder: string): CatalogError {
  return new CatalogError(
    'materialize.locked',
    `Another sync is writing to ${directory} (${holder}).`,
    { details: { directory, holder } },
  );
}
