import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import type { LocalState } from '../lock/local-state.ts';
import { TEMPORARY_PREFIX } from '../lock/state-folder.ts';
import { hasHash, restore } from './checked-writer.ts';
import type { Journal } from './journal.ts';
import { moveToKept, type KeptFile } from './kept-files.ts';
import { observeTarget } from './observe-target.ts';
import { keepLateBytes, keepStrays, recoverSaves } from './save-files.ts';
import { keepLateCopies, UNDO_NEXT, undoFolder } from './undo-record.ts';
import { asideNeighbor, neighborName } from './write-file.ts';

/**
 * Removes temporary files of interrupted runs and restores files that they moved aside. Call it with the lock of the
 * target, before the lock file is read.
 */
export function clearInterrupted(state: LocalState, journal: Journal | undefined): KeptFile[] {
  const saved = [...clearTemporary(state), ...recoverSaves(state)];
  return [...saved, ...(journal === undefined ? keepUnknown(state) : putBack(state, journal))];
}

function clearTemporary(state: LocalState): KeptFile[] {
  const { folder } = state;
  const names = readdirSync(folder).filter((name) => name.startsWith(TEMPORARY_PREFIX));
  return names.flatMap((name) => {
    const path = `${folder}/${name}`;
    const kept = lstatSync(path).isDirectory() ? keepStrays(state, path) : [];
    rmSync(path, { recursive: true, force: true });
    return kept;
  });
}

function putBack(state: LocalState, journal: Journal): KeptFile[] {
  const { directory, folder } = state;
  const observe = observeTarget(directory, new Map(), new Set());
  for (const { path } of [...journal.files, ...journal.shared]) {
    // A run never writes to a path behind a link.
    if (observe(path).kind === 'other') continue;
    rmSync(neighborName(`${directory}/${path}`, journal.run), { force: true });
  }
  const deleted = deletedBy(journal);
  return journal.aside.flatMap(({ path, hash, name }) => {
    const neighbor = asideNeighbor(`${directory}/${path}`, journal.run);
    const aside = existsSync(neighbor) ? neighbor : `${folder}/${UNDO_NEXT}/${name}`;
    if (lstatSync(aside, { throwIfNoEntry: false }) === undefined) return [];
    const isSame = hasHash(aside, hash);
    const observed = observe(path);
    if (observed.kind === 'absent') {
      if (isSame && deleted.has(path) && aside !== neighbor) return [];
      if (restore(aside, `${directory}/${path}`)) return [];
    }
    return isSame && aside !== neighbor ? [] : [moveToKept(directory, aside, path)];
  });
}

function deletedBy({ deletes, deleted_again = [], shared }: Journal): Set<string> {
  const emptied = shared.filter(({ after }) => after === undefined).map(({ path }) => path);
  return new Set([...deletes, ...deleted_again, ...emptied]);
}

/** Keeps files that were moved aside without an authenticated journal. */
function keepUnknown({ directory, folder }: LocalState): KeptFile[] {
  const leftover = `${folder}/${UNDO_NEXT}`;
  if (existsSync(`${leftover}/journal.json`) || !existsSync(leftover)) return [];
  const names = readdirSync(leftover).filter((name) => /^[0-9a-f]{32}/.test(name));
  return names.map((name) => moveToKept(directory, `${leftover}/${name}`, `interrupted/${name}`));
}

/**
 * Moves late saves to `.catalog/kept`: a program may still write to a file that was moved aside (SPEC-90). `discard`
 * removes all other copies. The caller must hold the lock of the target.
 */
export function keepLateSaves(
  state: LocalState,
  { discard }: { discard: boolean } = { discard: false },
): KeptFile[] {
  return [
    ...keepLateBytes(state, { discard }),
    ...keepLateCopies(state, undoFolder(state), { discard }),
  ];
}
