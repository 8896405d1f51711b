import { roundVector } from '@catalog/core/search/round-vector';

/** Size of the header: number of dimensions and two unused bytes. */
const HEAD = 4;
/** Size of the array header: dimensions, null flag, type, length, first index. */
const ARRAY_HEAD = 20;
const LENGTH = 4;

/** Encodes a vector in the binary format of PostgreSQL, with half-precision numbers. */
export function halfvec(vector: Float32Array): Uint8Array {
  const numbers = bigEndian(vector);
  const bytes = new Uint8Array(HEAD + numbers.length);
  writeVector(bytes, 0, vector.length, numbers);
  return bytes;
}

export function halfvecs(vectors: readonly Float32Array[], type: number): Uint8Array {
  const parts = vectors.map((vector) => ({ length: vector.length, numbers: bigEndian(vector) }));
  const size = parts.reduce((sum, { numbers }) => sum + LENGTH + HEAD + numbers.length, ARRAY_HEAD);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (const [place, value] of [1, 0, type, vectors.length, 1].entries()) {
    view.setInt32(place * LENGTH, value);
  }
  let at = ARRAY_HEAD;
  for (const { length, numbers } of parts) {
    view.setInt32(at, HEAD + numbers.length);
    at = writeVector(bytes, at + LENGTH, length, numbers);
  }
  return bytes;
}

function bigEndian(vector: Float32Array): Uint8Array {
  return Buffer.from(new Float16Array(roundVector(vector)).buffer).swap16();
}

function writeVector(
  bytes: Uint8Array,
  start: number,
  dimensions: number,
  numbers: Uint8Array,
): number {
  new DataView(bytes.buffer).setInt16(start, dimensions);
  bytes.set(numbers, start + HEAD);
  return start + HEAD + numbers.length;
}
