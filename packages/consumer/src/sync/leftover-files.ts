import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import type { LocalState } from '../lock/local-state.ts';
import { TEMPORARY_PREFIX } from '../lock/state-folder.ts';
import { holds, restore } from './checked-writer.ts';
import type { Journal } from './journal.ts';
import { moveToKept, type KeptFile } from './kept-files.ts';
import { observeTarget } from './observe-target.ts';
import { keepLateBytes, keepStrays, recoverSaves } from './save-files.ts';
import { keepLateCopies, UNDO_NEXT, undoFolder } from './undo-record.ts';
import { asideNeighbor, neighborName } from './write-file.ts';

/**
 * Clears up after runs that were interrupted: removes their temporary files, and puts back what such a
 * run had moved aside. Only the holder of the target may call it. Call it before the lock is read.
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
    // No run wrote to a path that a link leads to.
    if (observe(path).kind === 'other') continue;
    rmSync(neighborName(`${directory}/${path}`, journal.run), { force: true });
  }
  const deleted = deletedBy(journal);
  return journal.aside.flatMap(({ path, hash, name }) => {
    const neighbor = asideNeighbor(`${directory}/${path}`, journal.run);
    const aside = existsSync(neighbor) ? neighbor : `${folder}/${UNDO_NEXT}/${name}`;
    if (lstatSync(aside, { throwIfNoEntry: false }) === undefined) return [];
    const isSame = holds(aside, hash);
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

/** What an interrupted run moved aside, if its journal does not count: nothing of it is deleted. */
function keepUnknown({ directory, folder }: LocalState): KeptFile[] {
  const leftover = `${folder}/${UNDO_NEXT}`;
  if (existsSync(`${leftover}/journal.json`) || !existsSync(leftover)) return [];
  const names = readdirSync(leftover).filter((name) => /^[0-9a-f]{32}/.test(name));
  return names.map((name) => moveToKept(directory, `${leftover}/${name}`, `interrupted/${name}`));
}

/**
 * Moves bytes to `.catalog/kept` that a program wrote, through a file it had open, after the last run
 * had moved that file aside (SPEC-90). `discard` removes the other copies. Only the holder of the target
 * may call it.
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
