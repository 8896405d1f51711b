import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import type { LocalState } from '../lock/local-state.ts';
import { LOCK_FILE, lockPath } from '../lock/read-lock.ts';
import type { KeptFile } from './kept-files.ts';
import { SAVES_FOLDER } from './pending-save.ts';
import { keepLateBytes, openSaver } from './save-files.ts';
import { keepLateCopies, undoFolder } from './undo-record.ts';

/** Files that stay: the mutex, which the caller holds, and the removed lock. */
const STAYING: readonly string[] = ['.gitignore', 'holder', 'mutex.db', SAVES_FOLDER];
const UNDO_FILES: readonly string[] = ['taken-over.json', 'undo'];

interface Clearing {
  lock_hash: string | undefined;
  /** True if the run moved files aside that `catalog undo` can restore. */
  keep_undo: boolean;
}

interface Cleared {
  kept: KeptFile[];
  /** The lock, if another program saved it during the run; then nothing is removed. */
  changed_meanwhile: string[];
}

/**
 * Removes lock and state of a folder without managed files. The removed lock stays until the next run, because a
 * program may still write to it.
 */
export function clearRecords(state: LocalState, { lock_hash, keep_undo }: Clearing): Cleared {
  const { directory, folder } = state;
  const saver = openSaver(state, { discard: false });
  const { kept } = saver;
  if (lock_hash !== undefined && saver.remove(lockPath(directory), lock_hash) === 'changed') {
    return { kept, changed_meanwhile: [LOCK_FILE] };
  }
  if (!keep_undo) kept.push(...keepLateCopies(state, undoFolder(state), { discard: true }));
  if (keep_undo || lock_hash !== undefined) {
    const staying = new Set(keep_undo ? [...STAYING, ...UNDO_FILES] : STAYING);
    for (const name of readdirSync(folder)) {
      if (!staying.has(name)) rmSync(`${folder}/${name}`, { recursive: true, force: true });
    }
    return { kept, changed_meanwhile: [] };
  }
  kept.push(...keepLateBytes(state, { discard: true }));
  rmSync(folder, { recursive: true, force: true });
  try {
    rmdirSync(`${directory}/.catalog`);
  } catch {
    // The folder contains configuration of the user.
  }
  return { kept, changed_meanwhile: [] };
}
