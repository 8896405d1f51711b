import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { bytesHash } from '../artifact/content-hash.ts';
import type { VersionRecord } from '../ports/versions.ts';

export interface ObjectReference {
  content_hash: string;
  size: number;
}

/** Lists bundled files and bodies above the inline limit (ART-06). */
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

/**
 * Returns a body above the inline limit. A short body is not measured, because a UTF-16 unit has at most three bytes in
 * UTF-8.
 */
function toLargeText(text: string | null): ObjectReference[] {
  if (text === null || text.length * 3 <= INLINE_CUTOFF_BYTES) return [];
  const { length } = new TextEncoder().encode(text);
  return length > INLINE_CUTOFF_BYTES ? [{ content_hash: bytesHash(text), size: length }] : [];
}
