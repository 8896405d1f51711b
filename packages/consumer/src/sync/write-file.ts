import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/**
 * Replaces files so that each is, at every moment and after any crash, wholly old or wholly new: a
 * temporary file in the run's own folder, then a rename over the destination.
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
        if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
        replaceAcrossDevices(path, bytes, mode, durable, run);
      }
      if (durable) syncFolder(dirname(path));
    },
  };
}

/** The name a temporary file has beside a destination that lies on another device than the run's folder. */
export function neighbourName(path: string, run: string): string {
  return `${dirname(path)}/.${basename(path)}.catalog-${run}`;
}

function replaceAcrossDevices(
  path: string,
  bytes: Uint8Array,
  mode: number,
  durable: boolean,
  run: string,
): void {
  const temporary = neighbourName(path, run);
  writeNew(temporary, bytes, mode, durable);
  renameSync(temporary, path);
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

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
