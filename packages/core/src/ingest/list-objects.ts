import { INLINE_CUTOFF_BYTES } from '@catalog/contract/limits';
import { bytesHash } from '../artifact/content-hash.ts';
import type { VersionRecord } from '../ports/versions.ts';

export interface ObjectReference {
  content_hash: string;
  size: number;
}

/** Returns bundled files and bodies above the cutoff (ART-06). */
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

/** Avoids measuring small bodies: a UTF-16 unit takes at most three bytes in UTF-8. */
function toLargeText(text: string | null): ObjectReference[] {
  if (text === null || text.length * 3 <= INLINE_CUTOFF_BYTES) return [];
  const { length } = new TextEncoder().encode(text);
  return length > INLINE_CUTOFF_BYTES ? [{ content_hash: bytesHash(text), size: length }] : [];
}
