import { accessSync, chmodSync, constants, linkSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isMissing } from '@catalog/core/node/is-missing';
import { MAX_TEXT_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { randomKey, uniqueName } from '../id.ts';
import { isCode, replaceFile, writeNew } from '../sync/write-file.ts';

/** Key that authenticates the state of a user in workspaces (SPEC-89). */
export interface StateKey {
  get(): Buffer | undefined;
  /** Returns the key and creates it if needed; undefined if the home folder is not writable. */
  require(): Buffer | undefined;
  isAvailable(): boolean;
}

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
const KEY = /^[0-9a-f]{64}\n?$/;

export function openStateKey(home: string): StateKey {
  const path = `${resolve(home)}/.catalog/state.key`;
  let key: Buffer | undefined;
  const get = (): Buffer | undefined => (key ??= readKey(path));
  return {
    get,
    require: () => get() ?? (key = createKey(path)),
    isAvailable: () => get() !== undefined || isWritable(dirname(path)),
  };
}

/** Reads the key; undefined if other users can read or replace it. */
function readKey(path: string): Buffer | undefined {
  try {
    const stats = lstatSync(path);
    const owner = process.geteuid?.();
    if (!stats.isFile() || (owner !== undefined && stats.uid !== owner)) return undefined;
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) return undefined;
    const text = readRegularFile(path, MAX_TEXT_BYTES).toString('latin1');
    return KEY.test(text) ? Buffer.from(text.trim(), 'hex') : undefined;
  } catch {
    return undefined;
  }
}

/** Creates the key, or returns the one of a process that was faster. */
function createKey(path: string): Buffer | undefined {
  const key = randomKey();
  const text = Buffer.from(`${key.toString('hex')}\n`);
  const folder = dirname(path);
  const temporary = `${folder}/.${uniqueName()}`;
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
    writeNew(temporary, text, FILE_MODE, true);
    chmodSync(temporary, FILE_MODE);
    linkSync(temporary, path);
    return key;
  } catch (error) {
    const other = readKey(path);
    if (other !== undefined || !isCode(error, 'EEXIST', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP')) {
      return other;
    }
    return replaceKey(path, text) ? key : undefined;
  } finally {
    removeFile(temporary);
  }
}

/** Replaces an invalid key. Also writes a new one on file systems without hard links. */
function replaceKey(path: string, text: Buffer): boolean {
  try {
    replaceFile(path, text, FILE_MODE, true);
    return true;
  } catch {
    return false;
  }
}

function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (error) {
    return isMissing(error) && folder !== dirname(folder) && isWritable(dirname(folder));
  }
}
