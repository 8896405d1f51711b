import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { reasonOf } from '@catalog/core/node/read-entry';
import { readRegularFile } from '@catalog/core/node/read-regular-file';

/** Content of a file, or why it cannot be read, as a phrase that follows the path. */
export type LocalFile =
  | { kind: 'file'; bytes: Uint8Array }
  | { kind: 'unreadable'; reason: string };

/** Reads a regular file up to the maximum size in an artifact. */
export function readLocalFile(path: string): LocalFile {
  try {
    return { kind: 'file', bytes: readRegularFile(path, MAX_FILE_BYTES) };
  } catch (cause) {
    return { kind: 'unreadable', reason: reasonOf(cause) };
  }
}
