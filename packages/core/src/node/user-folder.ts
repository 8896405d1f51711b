import { chmodSync, lstatSync, mkdirSync, statSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { readRegularFile } from './read-regular-file.ts';

const FOLDER_MODE = 0o700;
export const USER_FILE_MODE = 0o600;

const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;

/** Returns the user folder of catalog: configuration, trust, approvals, credentials, keys and caches. */
export function userFolder(home: string): string {
  return `${resolve(home)}/.catalog`;
}

/** Creates a directory for its owner only. Rejects one that another user owns or can change. */
export function makePrivateFolder(path: string): void {
  if (!checkEntry(path)) mkdirSync(path, { recursive: true, mode: FOLDER_MODE });
  removeOtherPermissions(path);
}

/**
 * Entries of the user folder. Files that a sync installs in the home directory are checked against the lock instead.
 */
export const USER_FOLDER_ENTRIES: readonly string[] = [
  'sync.yaml',
  'registry.yaml',
  'trust.json',
  'approvals.json',
  'state.key',
  'signing-keys.json',
  'credentials',
  'cache',
  'cache/packs',
  'cache/blobs',
  'cache/manifests',
  'cache/index',
  'cache/signatures',
  'standalone',
  'state',
];

/**
 * Rejects a user folder with entries that another user owns or can change, because they decide what catalog trusts and
 * runs. A directory that others can only read becomes private. Not checked on Windows, which has no such permissions.
 */
export function checkUserFolder(home: string): void {
  const path = userFolder(home);
  if (process.geteuid === undefined || !checkEntry(path)) return;
  removeOtherPermissions(path);
  for (const name of USER_FOLDER_ENTRIES) checkEntry(`${path}/${name}`);
}

/** Reads a file of the user folder. Throws if another user owns or can change it. */
export function readUserFile(path: string, max_bytes: number): Buffer {
  checkEntry(dirname(path));
  checkEntry(path);
  return readRegularFile(path, max_bytes);
}

function checkEntry(path: string): boolean {
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link === undefined) return false;
  if (process.geteuid === undefined) return true;
  const stats = link.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : link;
  if (!isTrusted(link.uid)) throw ownedByOther(path, link);
  if (stats === undefined) return false;
  if (!isTrusted(stats.uid)) throw ownedByOther(path, stats);
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0) throw writableByOthers(path, stats);
  return true;
}

/** Returns true for files of this user or of root, who can change every file anyway. */
function isTrusted(owner: number): boolean {
  return owner === process.geteuid?.() || owner === 0;
}

function removeOtherPermissions(path: string): void {
  const stats = statSync(path);
  if ((stats.mode & OPEN_TO_OTHERS) === 0 || stats.uid !== process.geteuid?.()) return;
  try {
    chmodSync(path, FOLDER_MODE);
  } catch {
    // On a read-only file system, no user can change the directory.
  }
}

function writableByOthers(path: string, stats: Stats): CatalogError {
  const mode = (stats.mode & 0o777).toString(8);
  const command = stats.isDirectory() ? 'chmod -R go-w' : 'chmod go-w';
  return new CatalogError(
    'config.unsafe_workspace',
    `Other users can change ${path} (mode ${mode}), so catalog does not use it: it controls what catalog trusts, writes and runs as you.`,
    {
      details: { path },
      suggested_action: `Check that only you changed it, then run \`${command} ${path}\`.`,
    },
  );
}

function ownedByOther(path: string, { uid }: Stats): CatalogError {
  return new CatalogError(
    'config.unsafe_workspace',
    `${path} belongs to another user (uid ${uid}), so catalog does not use it: it controls what catalog trusts, writes and runs as you.`,
    {
      details: { path, owner: uid },
      suggested_action: `Run catalog as that user, or check ${path} and make it yours with \`chown\`.`,
    },
  );
}
