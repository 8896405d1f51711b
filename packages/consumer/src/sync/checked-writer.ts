import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname } from 'node:path';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { LARGEST_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { isMissing } from '@catalog/core/node/is-missing';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { moveToKept, type KeptFile } from './kept-files.ts';
import { asideNeighbor, isCode, neighborName, syncFolder, writeNew } from './write-file.ts';

/** A file as it is to be written. */
export interface NewFile {
  bytes: Uint8Array;
  mode: number;
  /** Survives a crash of the machine; costs a wait for the disk. */
  durable: boolean;
}

/** A file that is there, as the run checked it. */
export interface CheckedFile {
  /** Hash of its content. */
  hash: string;
  /** Absolute path to which the file goes before it is replaced or removed. */
  aside: string;
  /** True if the file holds content of the user's in addition to managed entries. */
  shared: boolean;
}

/** `changed`: another program saved the file meanwhile. Its content is still there, or in `.catalog/kept`. */
export type Outcome = 'done' | 'changed';

/**
 * Writes files of a target without losing what another program saves at the same time (SPEC-90): a file
 * that is replaced or removed is first moved aside, and put back if it is not the one that was checked.
 * Paths are relative to the target.
 */
export interface CheckedWriter {
  create(path: string, file: NewFile): Outcome;
  replace(path: string, file: NewFile, checked: CheckedFile): Outcome;
  remove(path: string, checked: CheckedFile): Outcome;
  /** Versions of the user's that could not be put back, because the path was taken again. */
  kept: KeptFile[];
}

/** Prefix of new files that were withdrawn; another program may have changed them. */
export const TAKEN_BACK = 'taken-back-';

/** Opens a writer that prepares files in a folder of the run. `keep` moves a file to `.catalog/kept`. */
export function openCheckedWriter(
  directory: string,
  folder: string,
  run: string,
  keep = (from: string, path: string): KeptFile => moveToKept(directory, from, path),
): CheckedWriter {
  let count = 0;
  const kept: KeptFile[] = [];

  function prepare(file: NewFile): string {
    count += 1;
    const temporary = `${folder}/w${count}`;
    writeNew(temporary, file.bytes, file.mode, file.durable);
    // The mask of the process may have removed permissions that the user gave.
    if (file.durable) chmodSync(temporary, file.mode);
    return temporary;
  }

  /** Puts a prepared file where nothing is; false if something is there. */
  function place(temporary: string, path: string, file: NewFile): boolean {
    const isPlaced = placeNew(temporary, `${directory}/${path}`, file, run);
    if (isPlaced && file.durable) syncFolder(dirname(`${directory}/${path}`));
    return isPlaced;
  }

  /** Puts a file that was moved aside back, or keeps it if its path is taken. */
  function putBack(aside: string, path: string): void {
    const isPlaced = restore(aside, `${directory}/${path}`);
    if (!isPlaced) kept.push(keep(aside, path));
  }

  /** Moves catalog's new file away again, to make room for the user's. */
  function takeBack(path: string, { bytes }: NewFile): void {
    count += 1;
    const temporary = `${folder}/${TAKEN_BACK}${count}`;
    if (moveAside(`${directory}/${path}`, temporary, run) !== 'moved') return;
    kept.push(...keepChanged(temporary, bytesHash(bytes), () => keep(temporary, path)));
  }

  return {
    kept,
    create: (path, file) => {
      const temporary = prepare(file);
      try {
        return place(temporary, path, file) ? 'done' : 'changed';
      } finally {
        rmSync(temporary, { force: true });
      }
    },
    replace: (path, file, { hash, aside, shared }) => {
      const temporary = prepare(file);
      try {
        if (moveAside(`${directory}/${path}`, aside, run) !== 'moved') return 'changed';
        const isPlaced = place(temporary, path, file);
        const isSame = holds(aside, hash);
        if (isPlaced && isSame) return 'done';
        if (isPlaced) takeBack(path, file);
        // Content that only catalog wrote need not be kept if a newer file took the path.
        if (!isSame || shared) putBack(aside, path);
        return 'changed';
      } finally {
        rmSync(temporary, { force: true });
      }
    },
    remove: (path, { hash, aside }) => {
      const moved = moveAside(`${directory}/${path}`, aside, run);
      if (moved !== 'moved') return moved === 'missing' ? 'done' : 'changed';
      if (holds(aside, hash)) return 'done';
      putBack(aside, path);
      return 'changed';
    },
  };
}

/**
 * Moves a file aside on its own device. `busy`: Windows does not move a file that is open, and a folder or
 * a link that took the path meanwhile cannot be copied to another device.
 */
function moveAside(path: string, aside: string, run: string): 'moved' | 'missing' | 'busy' {
  try {
    renameSync(path, aside);
    return 'moved';
  } catch (error) {
    if (isMissing(error)) return 'missing';
    if (process.platform === 'win32' && isCode(error, 'EPERM', 'EBUSY', 'EACCES')) return 'busy';
    if (!isCode(error, 'EXDEV')) throw error;
  }
  // The state folder is on another device, so the file moves within its own folder before the copy.
  const neighbor = asideNeighbor(path, run);
  try {
    renameSync(path, neighbor);
  } catch (error) {
    if (isMissing(error)) return 'missing';
    throw error;
  }
  if (!lstatSync(neighbor).isFile()) {
    restoreUnlinkable(neighbor, path);
    return 'busy';
  }
  copyFileSync(neighbor, aside, constants.COPYFILE_EXCL);
  rmSync(neighbor, { force: true });
  return 'moved';
}

/** Puts a prepared file where nothing is; false if something is there. */
function placeNew(temporary: string, path: string, file: NewFile, run: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    if (!isCode(error, 'EXDEV')) return createExclusively(path, file);
  }
  const neighbor = neighborName(path, run);
  writeNew(neighbor, file.bytes, file.mode, file.durable);
  try {
    linkSync(neighbor, path);
    return true;
  } catch (error) {
    return isCode(error, 'EEXIST') ? false : createExclusively(path, file);
  } finally {
    rmSync(neighbor, { force: true });
  }
}

/** For file systems without hard links. */
function createExclusively(path: string, { bytes, mode, durable }: NewFile): boolean {
  try {
    writeNew(path, bytes, mode, durable);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Moves a file back to its path; false if the path is taken. */
export function restore(aside: string, path: string): boolean {
  const stats = lstatSync(aside, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  if (!stats.isFile()) return restoreUnlinkable(aside, path);
  try {
    linkSync(aside, path);
  } catch (error) {
    if (isCode(error, 'EEXIST', 'ENOENT', 'ENOTDIR')) return false;
    return restoreUnlinkable(aside, path);
  }
  rmSync(aside, { force: true });
  return true;
}

/** For folders, links, other devices and file systems without hard links. */
function restoreUnlinkable(aside: string, path: string): boolean {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return false;
  try {
    renameSync(aside, path);
    return true;
  } catch (error) {
    if (!isCode(error, 'EXDEV')) return false;
  }
  try {
    copyFileSync(aside, path, constants.COPYFILE_EXCL);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
  rmSync(aside, { force: true });
  return true;
}

/** Keeps a file that was moved aside if it does not have the content of a hash. */
export function keepChanged(aside: string, hash: string, keep: () => KeptFile): KeptFile[] {
  if (lstatSync(aside, { throwIfNoEntry: false }) === undefined) return [];
  return holds(aside, hash) ? [] : [keep()];
}

/** Whether a file, not what a link leads to, has the content of a hash. */
export function holds(path: string, hash: string): boolean {
  const stats: Stats | undefined = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > LARGEST_FILE_BYTES) return false;
  return bytesHash(readRegularFile(path, LARGEST_FILE_BYTES)) === hash;
}
