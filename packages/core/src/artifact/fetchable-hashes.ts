import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import type { VersionRecord } from '../ports/versions.ts';
import { bytesHash } from './content-hash.ts';

/** What of a version can be fetched by its hash: its files, and a body past the cutoff. */
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

/** A character is at most three bytes for each of its units, so that few bodies are measured. */
function isLarge(body: string | null): body is string {
  if (body === null || body.length * 3 <= INLINE_CUTOFF_BYTES) return false;
  return Buffer.byteLength(body) > INLINE_CUTOFF_BYTES;
}
