import { LARGEST_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { reasonOf } from '@catalog/core/node/read-entry';
import { readRegularFile } from '@catalog/core/node/read-regular-file';

/** A file that a command reads; `reason` is a phrase that follows its path. */
export type LocalFile =
  | { kind: 'file'; bytes: Uint8Array }
  | { kind: 'unreadable'; reason: string };

/** Reads a regular file of at most the size an artifact's file may have. */
export function readLocalFile(path: string): LocalFile {
  try {
    return { kind: 'file', bytes: readRegularFile(path, LARGEST_FILE_BYTES) };
  } catch (cause) {
    return { kind: 'unreadable', reason: reasonOf(cause) };
  }
}
