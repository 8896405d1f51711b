import { startHash } from '@catalog/core/artifact/content-hash';
import { DamagedObject } from '@catalog/core/artifact/damaged-object';

export interface ExpectedObject {
  content_hash: string;
  size: number;
  location: string;
}

/**
 * Returns a stream that verifies a hash. The last chunk is sent only if the hash matches, so that a reader never
 * receives a complete corrupt file.
 */
export function verifiedStream(
  expected: ExpectedObject,
  pieces: AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(verified(expected, pieces));
}

async function* verified(
  { content_hash, size, location }: ExpectedObject,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const hash = startHash();
  let held: Uint8Array | undefined;
  let length = 0;
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    length += piece.length;
    if (length > size) throw new DamagedObject(content_hash, location);
    hash.add(piece);
    if (held !== undefined) yield held;
    held = piece;
  }
  if (length !== size || hash.end() !== content_hash)
    throw new DamagedObject(content_hash, location);
  if (held !== undefined) yield held;
}
