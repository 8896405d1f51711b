import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import type { VersionRecord } from '../ports/versions.ts';
import { bytesHash } from './content-hash.ts';

/**
 * Returns the hashes of everything that a client can fetch for a version: its files, and bodies above the inline limit.
 */
export function fetchableHashes({
  files,
  manifest,
  skill,
}: Pick<VersionRecord, 'files' | 'manifest' | 'skill'>): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const { content_hash } of files) hashes.add(content_hash);
  if (isLarge(manifest)) hashes.add(bytesHash(manifest));
  if (isLarge(skill)) hashes.add(bytesHash(skill));
  return hashes;
}

/**
 * Returns true for a body above the inline limit. A short body is not measured, because a UTF-16 unit has at most three
 * bytes in UTF-8.
 */
function isLarge(body: string | null): body is string {
  if (body === null || body.length * 3 <= INLINE_CUTOFF_BYTES) return false;
  return Buffer.byteLength(body) > INLINE_CUTOFF_BYTES;
}
