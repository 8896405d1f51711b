import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { uniqueName } from '../id.ts';

/** Replaces records of catalog atomically. Files that other programs save use `checked-writer.ts`. */
export interface FileReplacer {
  /** Replaces a file. With `durable`, it survives a crash of the machine. */
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

export function isCode(error: unknown, ...codes: string[]): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    codes.includes(error.code)
  );
}

/** Returns a temporary name next to the destination, if that is on another device. */
export function neighborName(path: string, run: string): string {
  return `${dirname(path)}/.${basename(path)}.catalog-${run}`;
}

/** Returns a name for moving a file aside next to its path, if that is on another device. */
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

/** Replaces a file atomically. A link is replaced and not followed. */
export function replaceFile(path: string, bytes: Uint8Array, mode: number, durable: boolean): void {
  const temporary = `${dirname(path)}/.${uniqueName()}`;
  try {
    writeNew(temporary, bytes, mode, durable);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

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

/** Flushes the names in a folder to disk. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
