import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import type { LocalState } from '../lock/local-state.ts';
import { lockPath } from '../lock/read-lock.ts';
import { SAVES } from './pending-save.ts';

/** Files of the state folder that `catalog undo` needs, and the mutex that the caller holds. */
const UNDO_FILES: ReadonlySet<string> = new Set([
  '.gitignore',
  'holder',
  'mutex.db',
  SAVES,
  'taken-over.json',
  'undo',
]);

/**
 * Removes the lock and the state of a folder in which nothing is catalog's any more. With `keep_undo`,
 * `catalog undo` can restore what the last run removed.
 */
export function clearRecords({ directory, folder }: LocalState, keep_undo = false): void {
  rmSync(lockPath(directory), { force: true });
  if (keep_undo) {
    for (const name of readdirSync(folder)) {
      if (!UNDO_FILES.has(name)) rmSync(`${folder}/${name}`, { recursive: true, force: true });
    }
    return;
  }
  rmSync(folder, { recursive: true, force: true });
  try {
    rmdirSync(`${directory}/.catalog`);
  } catch {
    // It holds the user's own configuration.
  }
}
