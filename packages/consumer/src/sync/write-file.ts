import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { uniqueName } from '../id.ts';

/**
 * Replaces catalog's own records so that each is, at every moment and after any crash, wholly old or
 * wholly new: a temporary file in the run's own folder, then a rename over the destination. Files that
 * other programs may save go through `checked-writer.ts`.
 */
export interface FileReplacer {
  /** `durable` also survives a crash of the machine; it costs a wait for the disk. */
  replace(path: string, bytes: Uint8Array, mode: number, durable: boolean): void;
}

export function openReplacer(folder: string, run: string): FileReplacer {
  let count = 0;
  return {
    replace: (path, bytes, mode, durable) => {
      count += 1;
      const temporary = `${folder}/${count}`;
      writeNew(temporary, bytes, mode, durable);
      try {
        renameSync(temporary, path);
      } catch (error) {
        rmSync(temporary, { force: true });
        if (!isCode(error, 'EXDEV')) throw error;
        replaceAcrossDevices(path, bytes, mode, durable, run);
      }
      if (durable) syncFolder(dirname(path));
    },
  };
}

/** Whether an error of the file system carries one of some codes. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  );
}

/** Returns the temporary name next to a destination that is on another device than the run's folder. */
export function neighborName(path: string, run: string): string {
  return `${dirname(path)}/.${basename(path)}.catalog-${run}`;
}

/** Returns the name under which a file is set aside next to its path, if the run's folder is on another device. */
export function asideNeighbor(path: string, run: string): string {
  return `${neighborName(path, run)}.old`;
}

function replaceAcrossDevices(
  path: string,
  bytes: Uint8Array,
  mode: number,
  durable: boolean,
  run: string,
): void {
  const temporary = neighborName(path, run);
  writeNew(temporary, bytes, mode, durable);
  renameSync(temporary, path);
}

/** Replaces one file whole, by a temporary file next to it. A link in its place is replaced, not followed. */
export function replaceFile(path: string, bytes: Uint8Array, mode: number, durable: boolean): void {
  const temporary = `${dirname(path)}/.${uniqueName()}`;
  try {
    writeNew(temporary, bytes, mode, durable);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Writes the whole of a file that is not there yet. */
export function writeNew(path: string, bytes: Uint8Array, mode: number, durable: boolean): void {
  const descriptor = openSync(path, 'wx', mode);
  try {
    let written = 0;
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    if (durable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names in a folder durable. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
