import { readdirSync, renameSync, rmSync } from 'node:fs';
import { pathProblem } from '@catalog/core/artifact/safe-path';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import type { OwnedFile } from '@catalog/harness/managed/managed-file';
import { statePath } from '../lock/state-folder.ts';
import { neighbourName, type FileReplacer } from './write-file.ts';

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
}

export interface JournaledShared {
  path: string;
  /** The hash of the file before the run; absent when there was none. */
  before?: string;
  /** The hash of the file after the run; absent if the run deletes it. */
  after?: string;
  /** What catalog owns in it once it is written; absent when nothing. */
  owned?: OwnedFile;
}

const TEMPORARY_PREFIX = 'tmp-';

function journalPath(directory: string): string {
  return `${statePath(directory)}/journal.json`;
}

/** Where a run keeps files until they are whole. */
export function temporaryFolder(directory: string, run: string): string {
  return `${statePath(directory)}/${TEMPORARY_PREFIX}${run}`;
}

/** After this, whatever the run leaves behind is known to be catalog's, even if the run dies. */
export function writeJournal(directory: string, journal: Journal, replacer: FileReplacer): void {
  replacer.replace(journalPath(directory), Buffer.from(JSON.stringify(journal)), 0o600, true);
}

/** The journal of a run that did not come to its end, or undefined. */
export function getJournal(directory: string): Journal | undefined {
  try {
    return parseJournal(readRegularFile(journalPath(directory), MAX_RECORD_BYTES).toString('utf8'));
  } catch {
    return undefined; // none, or not one of ours: it grants nothing
  }
}

/** Reads a journal; one that names an unsafe path is not ours. */
export function parseJournal(text: string): Journal | undefined {
  // Journals of older programs list no deletions.
  const journal: Journal = { deletes: [], ...JSON.parse(text) };
  const paths = [...journal.files, ...journal.shared].map((row) => row.path);
  const { deletes, deleted_again = [], directories } = journal;
  const safe = [...paths, ...deletes, ...deleted_again, ...directories].every(
    (path) => pathProblem(path) === undefined,
  );
  return safe && /^[a-z0-9-]+$/.test(journal.run) ? journal : undefined;
}

/** Takes away what runs that were cut short left behind. Only the holder of the target may call it. */
export function clearTemporaries(directory: string, journal: Journal | undefined): void {
  for (const name of readdirSync(statePath(directory))) {
    if (name.startsWith(TEMPORARY_PREFIX)) {
      rmSync(`${statePath(directory)}/${name}`, { recursive: true, force: true });
    }
  }
  if (journal === undefined) return;
  for (const { path } of [...journal.files, ...journal.shared]) {
    rmSync(neighbourName(`${directory}/${path}`, journal.run), { force: true });
  }
}

/** The run is complete: its journal becomes part of what `catalog undo` needs, or goes. */
export function clearJournal(directory: string, moveTo: string | undefined): void {
  if (moveTo === undefined) rmSync(journalPath(directory), { force: true });
  else renameSync(journalPath(directory), moveTo);
}
