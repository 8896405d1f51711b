import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFile } from './model.ts';

/** Folder of the data: next to the sources or, in a built program, next to its chunks. */
export const DATA_FOLDER = join(import.meta.dirname, '../data');

/** Reads a data file. Throws if its hash differs, because vectors of different models must not be compared. */
export function readData({ name, sha256 }: DataFile, folder = DATA_FOLDER): Buffer {
  const path = join(folder, name);
  const bytes = readFileSync(path);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new Error(
      `${path} is damaged or of another release: its SHA-256 is not ${sha256}. Install catalog again.`,
    );
  }
  return bytes;
}
