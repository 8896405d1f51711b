import { lstatSync } from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { writeProblem } from '@catalog/core/artifact/write-problem';
import type { LocalState } from './local-state.ts';

/** File, or entry of a file, that the user gave to catalog with `--take-over`. */
export interface TakenOver {
  path: string;
  /** Position of the entry; absent for the whole file. */
  at?: string[];
  /** Copy of the user's version of the file. */
  backup: string;
  hash: string;
}

export interface FormerFile {
  bytes: Buffer;
  mode: number;
}

const NAME = 'taken-over.json';

export function readTakenOver(state: LocalState): TakenOver[] {
  try {
    const rows: TakenOver[] = JSON.parse(state.read(NAME)?.toString('utf8') ?? '[]');
    return rows.filter(({ path }) => writeProblem(path, 'deliver') === undefined);
  } catch {
    return [];
  }
}

/** Records versions of the user, which are restored when catalog removes its own. */
export function rememberTakenOver(state: LocalState, taken: readonly TakenOver[]): void {
  if (taken.length === 0) return;
  const rows = new Map([...readTakenOver(state), ...taken].map((row) => [placeOf(row), row]));
  state.write(NAME, `${JSON.stringify([...rows.values()])}\n`);
}

function placeOf({ path, at }: TakenOver): string {
  return JSON.stringify([path, ...(at ?? [])]);
}

/** Reads a version of the user; undefined if the copy is missing or was changed. */
export function readFormer(directory: string, { backup, hash }: TakenOver): FormerFile | undefined {
  const path = `${directory}/${backup}`;
  try {
    const stats = lstatSync(path);
    const bytes = readRegularFile(path, MAX_FILE_BYTES);
    if (!stats.isFile() || bytesHash(bytes) !== hash) return undefined;
    return { bytes, mode: stats.mode & 0o777 };
  } catch {
    return undefined;
  }
}
