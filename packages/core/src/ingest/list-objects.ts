import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { bytesHash } from '../artifact/content-hash.ts';
import type { VersionRecord } from '../ports/versions.ts';

/** Bytes of a version that lie in the object store. */
export interface ObjectReference {
  content_hash: string;
  size: number;
}

/** What of a version is too large for a table: bundled files past the cutoff, and bodies (ART-06). */
export function listObjects({
  files,
  manifest,
  skill,
}: Pick<VersionRecord, 'files' | 'manifest' | 'skill'>): ObjectReference[] {
  const large = files.filter(({ size }) => size > INLINE_CUTOFF_BYTES);
  return [
    ...large.map(({ content_hash, size }) => ({ content_hash, size })),
    ...[manifest, skill].flatMap(toLargeText),
  ];
}

/** A character is at most three bytes, so that few bodies are measured. */
function toLargeText(text: string | null): ObjectReference[] {
  if (text === null || text.length * 3 <= INLINE_CUTOFF_BYTES) return [];
  const { length } = new TextEncoder().encode(text);
  return length > INLINE_CUTOFF_BYTES ? [{ content_hash: bytesHash(text), size: length }] : [];
}
