import { lstatSync } from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { LARGEST_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { writeProblem } from '@catalog/core/artifact/write-problem';
import type { LocalState } from './local-state.ts';

/** A file, or an entry of a shared file, that the user handed over with `--take-over`. */
export interface TakenOver {
  path: string;
  /** Place of an entry inside the file; absent if it is the whole file. */
  at?: string[];
  /** The user's version of the whole file, relative to the target. */
  backup: string;
  /** Hash of the backup. */
  hash: string;
}

/** The user's version of a file. */
export interface FormerFile {
  bytes: Buffer;
  mode: number;
}

const NAME = 'taken-over.json';

/** Returns what the user handed over, the latest version of each place. */
export function readTakenOver(state: LocalState): TakenOver[] {
  try {
    const rows: TakenOver[] = JSON.parse(state.read(NAME)?.toString('utf8') ?? '[]');
    return rows.filter(({ path }) => writeProblem(path, 'deliver') === undefined);
  } catch {
    return [];
  }
}

/** Adds what a run takes over, so that the user's version can be put back when catalog's goes. */
export function rememberTakenOver(state: LocalState, taken: readonly TakenOver[]): void {
  if (taken.length === 0) return;
  const rows = new Map([...readTakenOver(state), ...taken].map((row) => [placeOf(row), row]));
  state.write(NAME, `${JSON.stringify([...rows.values()])}\n`);
}

function placeOf({ path, at }: TakenOver): string {
  return JSON.stringify([path, ...(at ?? [])]);
}

/** Reads the user's version; undefined if the backup is gone or was changed. */
export function readFormer(directory: string, { backup, hash }: TakenOver): FormerFile | undefined {
  const path = `${directory}/${backup}`;
  try {
    const stats = lstatSync(path);
    const bytes = readRegularFile(path, LARGEST_FILE_BYTES);
    if (!stats.isFile() || bytesHash(bytes) !== hash) return undefined;
    return { bytes, mode: stats.mode & 0o777 };
  } catch {
    return undefined;
  }
}
