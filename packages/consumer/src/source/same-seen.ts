import { bytesHash } from '@catalog/core/artifact/content-hash';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { sameFingerprint } from '@catalog/core/node/fingerprint';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import type { FingerprintedEntry } from '@catalog/core/node/read-layer';

/**
 * Compares entries with their fingerprints. An entry with a hash was changed shortly before it was read, so its file is
 * read again.
 */
export function sameSeen(
  before: readonly FingerprintedEntry[],
  after: readonly FingerprintedEntry[],
  locate: (path: string) => string,
): boolean {
  if (before.length !== after.length) return false;
  for (const [index, entry] of before.entries()) {
    const other = after[index];
    if (other === undefined || entry.path !== other.path) return false;
    if (!sameFingerprint(entry.fingerprint, other.fingerprint)) return false;
    if (entry.hash !== undefined && entry.hash !== hashOf(locate(entry.path))) return false;
  }
  return true;
}

function hashOf(path: string): string | undefined {
  try {
    return bytesHash(readRegularFile(path, MAX_FILE_BYTES));
  } catch {
    return undefined;
  }
}
