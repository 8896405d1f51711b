import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFile } from './model.ts';

/** Beside the sources, and in a built program beside the folder of its parts. */
export const DATA_FOLDER = join(import.meta.dirname, '../data');

/** Reads a file of the model, and refuses another: its vectors would be compared with those of this one. */
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
