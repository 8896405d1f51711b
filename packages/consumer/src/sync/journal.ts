import { renameSync } from 'node:fs';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { writeProblem } from '@catalog/core/artifact/write-problem';
import type { OwnedFile } from '@catalog/harness/managed/managed-file';
import type { LocalState } from '../lock/local-state.ts';
import { TEMPORARY_PREFIX } from '../lock/state-folder.ts';
import type { FileReplacer } from './write-file.ts';

/** Planned changes, written to disk before the first one. */
export interface Journal {
  run: string;
  files: { path: string; hash: string }[];
  deletes: string[];
  /** Paths that an interrupted run wrote and this one deletes. */
  deleted_again?: string[];
  shared: JournaledShared[];
  directories: string[];
  aside: AsideFile[];
  lock?: string;
}

export interface JournaledShared {
  path: string;
  before?: string;
  after?: string;
  owned?: OwnedFile;
  /** Managed entries before the interrupted run; absent without one. */
  owned_before?: OwnedFile;
}

/** Replaced or deleted file, kept until the next run (SPEC-90). */
export interface AsideFile {
  path: string;
  hash: string;
  name: string;
  /** False for content of an interrupted run, which undo does not restore. */
  original: boolean;
}

const NAME = 'journal.json';

export function temporaryFolder({ folder }: Pick<LocalState, 'folder'>, run: string): string {
  return `${folder}/${TEMPORARY_PREFIX}${run}`;
}

/** Writes the journal durably, so that after a crash the next run can identify files of catalog. */
export function writeJournal(state: LocalState, journal: Journal, replacer: FileReplacer): void {
  const bytes = state.seal(NAME, JSON.stringify(journal));
  replacer.replace(`${state.folder}/${NAME}`, bytes, 0o600, true);
}

export function getJournal(state: LocalState): Journal | undefined {
  return readJournal(state, NAME);
}

export function getUndoJournal(state: LocalState, folder: string): Journal | undefined {
  return readJournal(state, `${folder}/${NAME}`);
}

function readJournal(state: LocalState, name: string): Journal | undefined {
  const bytes = state.read(name);
  return bytes === undefined ? undefined : parseJournal(bytes.toString('utf8'));
}

/** Parses a journal; undefined if it contains an unsafe path. */
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

export function clearJournal(state: LocalState, undo_folder: string | undefined): void {
  if (undo_folder === undefined) state.remove(NAME);
  else renameSync(`${state.folder}/${NAME}`, `${state.folder}/${undo_folder}/${NAME}`);
}
