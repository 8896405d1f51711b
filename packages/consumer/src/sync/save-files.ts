import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, sep } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { uniqueName } from '../id.ts';
import type { LocalState } from '../lock/local-state.ts';
import {
  holds,
  keepChanged,
  openCheckedWriter,
  restore,
  TAKEN_BACK,
  type CheckedFile,
  type CheckedWriter,
  type NewFile,
  type Outcome,
} from './checked-writer.ts';
import { moveToKept, type KeptFile } from './kept-files.ts';
import {
  ASIDE,
  getSave,
  listSaves,
  PENDING,
  RECORD,
  SAVES,
  type SaveRecord,
} from './pending-save.ts';
import { neighborName } from './write-file.ts';

/** Replaces files outside of a plan: settings, files of authors, and the lock (SPEC-90). */
export interface FileSaver {
  /** Writes a file. `before`: hash of the content that the caller checked; undefined if it was missing. */
  save(path: string, file: NewFile, before: string | undefined): Outcome;
  /** Removes a file. `before`: hash of the content that the caller checked. */
  remove(path: string, before: string): Outcome;
  /** Versions of the user's that are not in their place, also of former runs. Paths are below `directory`. */
  kept: KeptFile[];
  /** Absolute path of the folder whose state folder has the former files. */
  directory: string;
}

/**
 * Opens a saver and completes what former savers left: each replaced file stays in the state folder until
 * now, or longer without `discard`. Only the holder of the target may call it.
 */
export function openSaver(
  state: LocalState,
  { discard }: { discard: boolean } = { discard: true },
): FileSaver {
  const kept = [...recoverSaves(state), ...keepLateBytes(state, { discard })];

  function openWriter(folder: string, run: string, path: string): CheckedWriter {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const keep = (from: string): KeptFile => moveToKept(state.directory, from, nameIn(state, path));
    return openCheckedWriter(dirname(path), folder, run, keep);
  }

  /** Records a file before it is moved aside, and keeps it there until the next saver. */
  function record(
    path: string,
    hashes: Pick<SaveRecord, 'before' | 'after'>,
    carryOut: (writer: CheckedWriter, checked: CheckedFile) => Outcome,
  ): Outcome {
    const run = uniqueName();
    const name = `${run}${PENDING}`;
    const folder = `${state.folder}/${SAVES}/${name}`;
    const writer = openWriter(folder, run, path);
    const row: SaveRecord = { path: placeOf(state, path), ...hashes };
    state.write(`${SAVES}/${name}/${RECORD}`, JSON.stringify(row));
    let outcome: Outcome | undefined;
    try {
      outcome = carryOut(writer, {
        hash: hashes.before,
        aside: `${folder}/${ASIDE}`,
        shared: true,
      });
      return outcome;
    } finally {
      if (outcome === 'done') complete(state, name);
      else kept.push(...writer.kept, ...settle(state, name));
    }
  }

  return {
    kept,
    directory: state.directory,
    save: (path, file, before) => {
      if (before !== undefined) {
        const after = bytesHash(file.bytes);
        return record(path, { before, after }, (writer, checked) =>
          writer.replace(basename(path), file, checked),
        );
      }
      const run = uniqueName();
      const folder = `${state.folder}/${SAVES}/${run}${PENDING}`;
      const outcome = openWriter(folder, run, path).create(basename(path), file);
      rmSync(folder, { recursive: true, force: true });
      return outcome;
    },
    remove: (path, before) =>
      record(path, { before }, (writer, checked) => writer.remove(basename(path), checked)),
  };
}

/** Completes saves that were interrupted: puts the former file back if its path is missing. */
export function recoverSaves(state: LocalState): KeptFile[] {
  return listSaves(state)
    .filter((name) => name.endsWith(PENDING))
    .flatMap((name) => settle(state, name));
}

/** The replaced file stays until the next saver. */
function complete({ folder }: LocalState, name: string): void {
  renameSync(`${folder}/${SAVES}/${name}`, `${folder}/${SAVES}/${runOf(name)}`);
}

function runOf(name: string): string {
  return name.slice(0, -PENDING.length);
}

/** Ends a save that is not known to be complete. Its former file goes back to its path, or is kept. */
function settle(state: LocalState, name: string): KeptFile[] {
  const folder = `${state.folder}/${SAVES}/${name}`;
  const save = getSave(state, name);
  const kept: KeptFile[] = [];
  if (save !== undefined) {
    rmSync(neighborName(save.path, runOf(name)), { force: true });
    const isAside = lstatSync(save.aside, { throwIfNoEntry: false }) !== undefined;
    if (isAside && !restore(save.aside, save.path)) {
      const isComplete =
        save.after !== undefined && save.aside.startsWith(folder) && holds(save.path, save.after);
      if (isComplete && holds(save.aside, save.before)) {
        complete(state, name);
        return [];
      }
      kept.push(moveToKept(state.directory, save.aside, nameIn(state, save.path)));
    }
  }
  kept.push(...keepStrays(state, folder));
  rmSync(folder, { recursive: true, force: true });
  return kept;
}

/** Moves files to `.catalog/kept` that a killed run had moved out of their places and that no record names. */
export function keepStrays({ directory }: LocalState, folder: string): KeptFile[] {
  return readdirSync(folder)
    .filter((name) => name === ASIDE || name.startsWith(TAKEN_BACK))
    .map((name) => moveToKept(directory, `${folder}/${name}`, `interrupted/${name}`));
}

/**
 * Moves bytes to `.catalog/kept` that a program wrote, through a file it had open, after a save had
 * replaced the file. `discard` removes the other copies.
 */
export function keepLateBytes(state: LocalState, { discard }: { discard: boolean }): KeptFile[] {
  return listSaves(state).flatMap((name) => {
    if (name.endsWith(PENDING)) return [];
    const folder = `${state.folder}/${SAVES}/${name}`;
    const save = getSave(state, name);
    const kept =
      save === undefined
        ? keepStrays(state, folder)
        : keepChanged(save.aside, save.before, () =>
            moveToKept(state.directory, save.aside, nameIn(state, save.path)),
          );
    if (discard) rmSync(folder, { recursive: true, force: true });
    return kept;
  });
}

/** Path as a record has it. */
function placeOf({ directory }: LocalState, path: string): string {
  const inside = relative(directory, path).replaceAll(sep, '/');
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

/** Name of a copy below `.catalog/kept`. */
function nameIn(state: LocalState, path: string): string {
  const place = placeOf(state, path);
  if (!isAbsolute(place)) return place.replace(/^\.catalog\//, '');
  return `outside/${place.replaceAll(/^[/\\]+|:/g, '').replaceAll(sep, '/')}`;
}
