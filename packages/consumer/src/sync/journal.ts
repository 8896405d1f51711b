import { renameSync } from 'node:fs';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { writeProblem } from '@catalog/core/artifact/write-problem';
import type { OwnedFile } from '@catalog/harness/managed/managed-file';
import type { LocalState } from '../lock/local-state.ts';
import { TEMPORARY_PREFIX } from '../lock/state-folder.ts';
import type { FileReplacer } from './write-file.ts';

/** What a run is about to do, made durable before its first write. */
export interface Journal {
  run: string;
  files: { path: string; hash: string }[];
  deletes: string[];
  /** Paths among `files` that an interrupted run wrote and this one deletes. */
  deleted_again?: string[];
  shared: JournaledShared[];
  /** The uppermost folders the run is about to make. */
  directories: string[];
  /** Files the run moves aside before it replaces or deletes them. */
  aside: AsideFile[];
  /** Hash of the lock before the run; absent if there was none. */
  lock?: string;
}

export interface JournaledShared {
  path: string;
  /** The hash of the file before the run; absent when there was none. */
  before?: string;
  /** The hash of the file after the run; absent if the run deletes it. */
  after?: string;
  /** What catalog owns in it once it is written; absent when nothing. */
  owned?: OwnedFile;
  /** Entries of catalog in `before`; absent unless the run completes an interrupted one. */
  owned_before?: OwnedFile;
}

/** A file that a run replaces or deletes. It stays next to the journal until the next run (SPEC-90). */
export interface AsideFile {
  path: string;
  /** Hash of the content that the run checked. */
  hash: string;
  /** Name in the folder of the undo record. */
  name: string;
  /** False if an interrupted run wrote the content: undo does not restore it. */
  original: boolean;
}

const NAME = 'journal.json';

/** Where a run keeps files until they are whole. */
export function temporaryFolder({ folder }: Pick<LocalState, 'folder'>, run: string): string {
  return `${folder}/${TEMPORARY_PREFIX}${run}`;
}

/** After this, whatever the run leaves behind is known to be catalog's, even if the run dies. */
export function writeJournal(state: LocalState, journal: Journal, replacer: FileReplacer): void {
  const bytes = state.seal(NAME, JSON.stringify(journal));
  replacer.replace(`${state.folder}/${NAME}`, bytes, 0o600, true);
}

/** Returns the journal of a run that was interrupted; undefined if there is none. */
export function getJournal(state: LocalState): Journal | undefined {
  return readJournal(state, NAME);
}

/** Returns the journal of a complete run, from the folder of its undo record. */
export function getUndoJournal(state: LocalState, folder: string): Journal | undefined {
  return readJournal(state, `${folder}/${NAME}`);
}

function readJournal(state: LocalState, name: string): Journal | undefined {
  const bytes = state.read(name);
  return bytes === undefined ? undefined : parseJournal(bytes.toString('utf8'));
}

/** Reads a journal; undefined if it names an unsafe path. */
export function parseJournal(text: string): Journal | undefined {
  const journal: Journal = JSON.parse(text);
  const { files, shared, aside, deletes, deleted_again = [], directories } = journal;
  const paths = [...files, ...shared, ...aside].map((row) => row.path);
  const isSafe =
    [...paths, ...deletes, ...deleted_again].every(
      (path) => writeProblem(path, 'deliver') === undefined,
    ) && directories.every((path) => pathProblem(path) === undefined);
  const isNamed = aside.every(({ name }) => /^[0-9a-f]{32}(?:\.[0-9]+)?$/.test(name));
  return isSafe && isNamed && /^[a-z0-9-]+$/.test(journal.run) ? journal : undefined;
}

/** Ends a run: its journal becomes part of what `catalog undo` needs, or is removed. */
export function clearJournal(state: LocalState, undo_folder: string | undefined): void {
  if (undo_folder === undefined) state.remove(NAME);
  else renameSync(`${state.folder}/${NAME}`, `${state.folder}/${undo_folder}/${NAME}`);
}
