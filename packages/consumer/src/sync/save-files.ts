import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, sep } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { uniqueName } from '../id.ts';
import type { LocalState } from '../lock/local-state.ts';
import {
  hasHash,
  keepChanged,
  openCheckedWriter,
  restore,
  WITHDRAWN_PREFIX,
  type CheckedFile,
  type CheckedWriter,
  type NewFile,
  type Outcome,
} from './checked-writer.ts';
import { moveToKept, type KeptFile } from './kept-files.ts';
import {
  ASIDE_FOLDER,
  getSave,
  listSaves,
  PENDING_SUFFIX,
  RECORD_FILE,
  SAVES_FOLDER,
  type SaveRecord,
} from './pending-save.ts';
import { neighborName } from './write-file.ts';

/** Replaces single files: settings, authored files, and the lock (SPEC-90). */
export interface FileSaver {
  /** Writes a file. `before` is the hash of the content that the caller checked; undefined if there was no file. */
  save(path: string, file: NewFile, before: string | undefined): Outcome;
  remove(path: string, before: string): Outcome;
  kept: KeptFile[];
  directory: string;
}

/**
 * Opens a saver after completing earlier ones. Replaced files stay until then, or longer without `discard`. The caller
 * must hold the lock of the target.
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

  /** Records a file before it is moved aside. The record stays until the next saver. */
  function record(
    path: string,
    hashes: Pick<SaveRecord, 'before' | 'after'>,
    carryOut: (writer: CheckedWriter, checked: CheckedFile) => Outcome,
  ): Outcome {
    const run = uniqueName();
    const name = `${run}${PENDING_SUFFIX}`;
    const folder = `${state.folder}/${SAVES_FOLDER}/${name}`;
    const writer = openWriter(folder, run, path);
    const row: SaveRecord = { path: placeOf(state, path), ...hashes };
    state.write(`${SAVES_FOLDER}/${name}/${RECORD_FILE}`, JSON.stringify(row));
    let outcome: Outcome | undefined;
    try {
      outcome = carryOut(writer, {
        hash: hashes.before,
        aside: `${folder}/${ASIDE_FOLDER}`,
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
      const folder = `${state.folder}/${SAVES_FOLDER}/${run}${PENDING_SUFFIX}`;
      const outcome = openWriter(folder, run, path).create(basename(path), file);
      rmSync(folder, { recursive: true, force: true });
      return outcome;
    },
    remove: (path, before) =>
      record(path, { before }, (writer, checked) => writer.remove(basename(path), checked)),
  };
}

/** Restores files whose save was interrupted before the new one was in place. */
export function recoverSaves(state: LocalState): KeptFile[] {
  return listSaves(state)
    .filter((name) => name.endsWith(PENDING_SUFFIX))
    .flatMap((name) => settle(state, name));
}

/** Marks a save as complete. The replaced file stays until the next saver. */
function complete({ folder }: LocalState, name: string): void {
  renameSync(`${folder}/${SAVES_FOLDER}/${name}`, `${folder}/${SAVES_FOLDER}/${runOf(name)}`);
}

function runOf(name: string): string {
  return name.slice(0, -PENDING_SUFFIX.length);
}

/** Ends an interrupted save. The previous file is restored, or kept in `.catalog/kept`. */
function settle(state: LocalState, name: string): KeptFile[] {
  const folder = `${state.folder}/${SAVES_FOLDER}/${name}`;
  const save = getSave(state, name);
  const kept: KeptFile[] = [];
  if (save !== undefined) {
    rmSync(neighborName(save.path, runOf(name)), { force: true });
    const isAside = lstatSync(save.aside, { throwIfNoEntry: false }) !== undefined;
    if (isAside && !restore(save.aside, save.path)) {
      const isComplete =
        save.after !== undefined && save.aside.startsWith(folder) && hasHash(save.path, save.after);
      if (isComplete && hasHash(save.aside, save.before)) {
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

/** Keeps files that a killed run moved aside without a record. */
export function keepStrays({ directory }: LocalState, folder: string): KeptFile[] {
  return readdirSync(folder)
    .filter((name) => name === ASIDE_FOLDER || name.startsWith(WITHDRAWN_PREFIX))
    .map((name) => moveToKept(directory, `${folder}/${name}`, `interrupted/${name}`));
}

/**
 * Moves late saves to `.catalog/kept`: a program may still write to a replaced file. `discard` removes all other
 * copies.
 */
export function keepLateBytes(state: LocalState, { discard }: { discard: boolean }): KeptFile[] {
  return listSaves(state).flatMap((name) => {
    if (name.endsWith(PENDING_SUFFIX)) return [];
    const folder = `${state.folder}/${SAVES_FOLDER}/${name}`;
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

function placeOf({ directory }: LocalState, path: string): string {
  const inside = relative(directory, path).replaceAll(sep, '/');
  return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
}

function nameIn(state: LocalState, path: string): string {
  const place = placeOf(state, path);
  if (!isAbsolute(place)) return place.replace(/^\.catalog\//, '');
  return `outside/${place.replaceAll(/^[/\\]+|:/g, '').replaceAll(sep, '/')}`;
}
