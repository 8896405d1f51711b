import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  type Stats,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { makePrivateFolder, userFolder } from '@catalog/core/node/user-folder';
import { uniqueName } from '../id.ts';
import { isCode, writeNew } from '../sync/write-file.ts';

const IGNORE_ALL = '*\n';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Files that a run opens before it holds the mutex. */
const OPENED_FILES = ['.gitignore', 'holder', 'mutex.db'];
const MUTEX = 'mutex.db';

/** Folders that must not be links, because a run moves and removes their content. */
const FOLDERS: ReadonlySet<string> = new Set(['saves', 'undo', 'undo.next']);

const RECORDS: ReadonlySet<string> = new Set([
  'acknowledged-warnings.json',
  'delivered-to.json',
  'index',
  'journal.json',
  'publish-change-summary.json',
  'taken-over.json',
  'unpublished.json',
  'written.lock',
]);

export const TEMPORARY_PREFIX = 'tmp-';

/** Returns the folder for data of this machine: mutex, journal, index, temporary files. */
export function statePath(directory: string): string {
  return `${directory}/.catalog/state`;
}

/**
 * Creates the state folder, which git ignores and only its owner can access: a user who can read the mutex can also
 * lock it.
 */
export function makeStateFolder(directory: string): void {
  const path = statePath(directory);
  refuseLink(`${directory}/.catalog`);
  refuseLink(path);
  if (resolve(directory) === resolve(homedir())) makePrivateFolder(userFolder(directory));
  else mkdirSync(`${directory}/.catalog`, { recursive: true });
  mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  refuseOtherOwner(directory, path);
  makePrivate(path, FOLDER_MODE);
  for (const name of OPENED_FILES) {
    refuseSpecial(`${path}/${name}`);
    if (name !== MUTEX) removeHardLink(`${path}/${name}`);
    makePrivate(`${path}/${name}`, FILE_MODE);
  }
  checkEntries(path);
  ignoreInGit(path);
}

/**
 * Removes links in the state folder, because the next run would clear the folder behind one. Throws for a file in place
 * of a folder, or the reverse.
 */
function checkEntries(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isSymbolicLink()) unlinkSync(path);
    else if (FOLDERS.has(entry.name) && !entry.isDirectory()) throw inPlaceOf('folder', path);
    else if (RECORDS.has(entry.name) && entry.isDirectory()) throw inPlaceOf('regular file', path);
  }
}

function inPlaceOf(kind: 'regular file' | 'folder', path: string): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `${path} is not a ${kind}, so catalog cannot use it.`,
    { details: { path }, suggested_action: `Remove ${path}; catalog creates a new one.` },
  );
}

export function writeStateFile(path: string, content: Uint8Array | string): void {
  const temporary = `${dirname(path)}/${TEMPORARY_PREFIX}${uniqueName()}`;
  writeNew(temporary, Buffer.from(content), FILE_MODE, false);
  renameSync(temporary, path);
}

/**
 * Makes git ignore a folder, by a file in it. The file is written in place, because several runs may do so at once, and
 * again if it is truncated.
 */
export function ignoreInGit(folder: string): void {
  const path = `${folder}/.gitignore`;
  const stats = statPath(path);
  if (stats?.isDirectory() === true) throw inPlaceOf('regular file', path);
  if (stats?.size === IGNORE_ALL.length) return;
  rmSync(path, { force: true });
  try {
    writeNew(path, Buffer.from(IGNORE_ALL), FILE_MODE, false);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  }
}

/**
 * Removes a file with several hard links, because catalog would also change the other one. The mutex stays, because a
 * process may hold it.
 */
function removeHardLink(path: string): void {
  if ((statPath(path)?.nlink ?? 0) > 1) unlinkSync(path);
}

function makePrivate(path: string, mode: number): void {
  const stats = statPath(path);
  if (stats === undefined || (stats.mode & 0o777) === mode) return;
  if (stats.uid === process.geteuid?.()) chmodSync(path, mode);
}

/** Throws if the state folder belongs to another user, who could hold the mutex. */
function refuseOtherOwner(directory: string, path: string): void {
  const owner = statPath(path)?.uid;
  const user = process.geteuid?.();
  if (user === undefined || user === 0 || owner === undefined || owner === user) return;
  throw new CatalogError(
    'materialize.target_unwritable',
    `Another user (uid ${owner}) syncs ${directory}: only that user can use ${path}.`,
    {
      details: { directory, reason: 'EACCES' },
      suggested_action: 'Sync in your own clone, or ask that user to run `catalog sync`.',
    },
  );
}

function refuseLink(path: string): void {
  if (statPath(path)?.isSymbolicLink() === true) throw behindLink(dirname(path), basename(path));
}

/** Throws for a pipe or a device, because opening it may block forever. */
function refuseSpecial(path: string): void {
  refuseLink(path);
  const stats = statPath(path);
  if (stats === undefined || stats.isFile()) return;
  throw inPlaceOf('regular file', path);
}

function statPath(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

export function behindLink(directory: string, name: string): CatalogError {
  const path = `${directory}/${name}`;
  return new CatalogError(
    'materialize.target_invalid',
    `${path} is a link, or a folder above it is; catalog does not write through links.`,
    { details: { path }, suggested_action: `Remove ${path}, or replace it with a folder.` },
  );
}
