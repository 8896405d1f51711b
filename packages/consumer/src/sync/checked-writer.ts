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
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { isMissing } from '@catalog/core/node/is-missing';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { moveToKept, type KeptFile } from './kept-files.ts';
import { asideNeighbor, isCode, neighborName, syncFolder, writeNew } from './write-file.ts';

/** Content and mode of a file that a run writes. */
export interface NewFile {
  bytes: Uint8Array;
  mode: number;
  /** True if the file must survive a crash of the machine. */
  durable: boolean;
}

/** An existing file, as the run checked it. */
export interface CheckedFile {
  hash: string;
  /** Path to which the file is moved before it is replaced or removed. */
  aside: string;
  /** True if the file also contains content of the user. */
  shared: boolean;
}

/**
 * Result of a write. `changed` means that another program saved the file, whose content is still there or in
 * `.catalog/kept`.
 */
export type Outcome = 'done' | 'changed';

/**
 * Writes files without losing saves of other programs (SPEC-90): an existing file is moved aside first, and restored if
 * it is not the checked one. Paths are relative to the target.
 */
export interface CheckedWriter {
  create(path: string, file: NewFile): Outcome;
  replace(path: string, file: NewFile, checked: CheckedFile): Outcome;
  remove(path: string, checked: CheckedFile): Outcome;
  /** Versions that could not be restored, because another file took their path. */
  kept: KeptFile[];
}

/** Prefix of new files that were withdrawn, and that another program may have changed. */
export const WITHDRAWN_PREFIX = 'taken-back-';

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
    // The umask may have removed permissions that the user set.
    if (file.durable) chmodSync(temporary, file.mode);
    return temporary;
  }

  function place(temporary: string, path: string, file: NewFile): boolean {
    const isPlaced = placeNew(temporary, `${directory}/${path}`, file, run);
    if (isPlaced && file.durable) syncFolder(dirname(`${directory}/${path}`));
    return isPlaced;
  }

  /** Restores a file. If another file has its path, keeps it in `.catalog/kept`. */
  function putBack(aside: string, path: string): void {
    const isPlaced = restore(aside, `${directory}/${path}`);
    if (!isPlaced) kept.push(keep(aside, path));
  }

  function withdraw(path: string, { bytes }: NewFile): void {
    count += 1;
    const temporary = `${folder}/${WITHDRAWN_PREFIX}${count}`;
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
        const isSame = hasHash(aside, hash);
        if (isPlaced && isSame) return 'done';
        if (isPlaced) withdraw(path, file);
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
      if (hasHash(aside, hash)) return 'done';
      putBack(aside, path);
      return 'changed';
    },
  };
}

/**
 * Moves a file aside on its device. Returns `busy` if Windows has the file open, or if a folder or link took its path
 * on another device.
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
  // On another device, the file is first moved within its folder and then copied.
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

/** Puts a new file into place. Returns false if the path exists. */
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

/** Creates a file on a file system without hard links. */
function createExclusively(path: string, { bytes, mode, durable }: NewFile): boolean {
  try {
    writeNew(path, bytes, mode, durable);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Restores a file. Returns false if the path exists. */
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

/** Restores what cannot be hard-linked: folders, links, and files on other devices. */
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

/** Keeps a file if its hash differs from the expected one. */
export function keepChanged(aside: string, hash: string, keep: () => KeptFile): KeptFile[] {
  if (lstatSync(aside, { throwIfNoEntry: false }) === undefined) return [];
  return hasHash(aside, hash) ? [] : [keep()];
}

/** Returns true if a path is a regular file with this hash. Does not follow a link. */
export function hasHash(path: string, hash: string): boolean {
  const stats: Stats | undefined = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MAX_FILE_BYTES) return false;
  return bytesHash(readRegularFile(path, MAX_FILE_BYTES)) === hash;
}
