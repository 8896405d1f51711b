import { rmSync } from 'node:fs';
import { compareBytes } from '@catalog/core/artifact/compare-bytes';
import { MAX_RECORD_BYTES, readRegularFile } from '@catalog/core/node/read-regular-file';
import { makeStateFolder, statePath, writeStateFile } from './state-folder.ts';

function filePath(directory: string): string {
  return `${statePath(directory)}/acknowledged-warnings.json`;
}

/** Returns the hashes of warnings the user acknowledged in a workspace. A missing or malformed file holds none. */
export function readAcknowledged(directory: string): ReadonlySet<string> {
  try {
    const text = readRegularFile(filePath(directory), MAX_RECORD_BYTES).toString('utf8');
    const value: unknown = JSON.parse(text);
    return new Set(Array.isArray(value) ? value.filter((hash) => typeof hash === 'string') : []);
  } catch {
    return new Set();
  }
}

/** Replaces the acknowledged warnings of a workspace. */
export function writeAcknowledged(directory: string, hashes: ReadonlySet<string>): void {
  if (hashes.size === 0) {
    rmSync(filePath(directory), { force: true });
    return;
  }
  makeStateFolder(directory);
  const sorted = [...hashes].toSorted(compareBytes);
  writeStateFile(filePath(directory), `${JSON.stringify(sorted, undefined, 2)}\n`);
}
