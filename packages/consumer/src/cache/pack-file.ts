import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/**
 * File with many packages, because ten thousand small files would double the amount that a first sync writes. Format:
 * `CPK1`, the number of packages, the SHA-256 hash, offset and length of each, then the packages.
 */
const MAGIC = 0x314b5043;
const HEAD_BYTES = 8;
const HASH_BYTES = 32;
const ROW_BYTES = HASH_BYTES + 8;
/** Large enough for nearly every index, so that one read is sufficient. */
const FIRST_READ_BYTES = 64 * 1024;

export interface PackedRecord {
  /** `sha256:<hex>` of the package. */
  content_hash: string;
  bytes: Uint8Array;
}

export interface PackPlace {
  offset: number;
  length: number;
}

export function encodePack(records: readonly PackedRecord[]): Uint8Array {
  const index = Buffer.alloc(HEAD_BYTES + records.length * ROW_BYTES);
  index.writeUInt32LE(MAGIC, 0);
  index.writeUInt32LE(records.length, 4);
  let offset = index.length;
  for (const [row, { content_hash, bytes }] of records.entries()) {
    const at = HEAD_BYTES + row * ROW_BYTES;
    index.write(content_hash.slice('sha256:'.length), at, 'hex');
    index.writeUInt32LE(offset, at + HASH_BYTES);
    index.writeUInt32LE(bytes.length, at + HASH_BYTES + 4);
    offset += bytes.length;
  }
  return Buffer.concat([index, ...records.map(({ bytes }) => bytes)]);
}

/** Reads the index of a pack; empty if the file is missing or not a pack. */
export function readPackIndex(path: string): Map<string, PackPlace> {
  const places = new Map<string, PackPlace>();
  const index = readStart(path);
  for (let at = HEAD_BYTES; at + ROW_BYTES <= index.length; at += ROW_BYTES) {
    const content_hash = `sha256:${index.toString('hex', at, at + HASH_BYTES)}`;
    const offset = index.readUInt32LE(at + HASH_BYTES);
    places.set(content_hash, { offset, length: index.readUInt32LE(at + HASH_BYTES + 4) });
  }
  return places;
}

function readStart(path: string): Buffer {
  const none = Buffer.alloc(0);
  try {
    const descriptor = openSync(path, 'r');
    try {
      const first = readAt(descriptor, 0, FIRST_READ_BYTES);
      if (first.length < HEAD_BYTES || first.readUInt32LE(0) !== MAGIC) return none;
      const length = HEAD_BYTES + first.readUInt32LE(4) * ROW_BYTES;
      if (length <= first.length) return first.subarray(0, length);
      // The length is compared with the size of the file before memory is allocated.
      return length <= fstatSync(descriptor).size ? readAt(descriptor, 0, length) : none;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return none;
  }
}

/** Reads packages from a pack; undefined for those that it no longer contains. */
export function readRecords(
  path: string,
  places: readonly PackPlace[],
  size: number,
): (Uint8Array | undefined)[] {
  const wanted = places.reduce((sum, { length }) => sum + length, 0);
  const isWithin = ({ offset, length }: PackPlace): boolean => offset + length <= size;
  try {
    if (wanted * 2 >= size) {
      const pack = readFileSync(path);
      return places.map(({ offset, length }) => pack.subarray(offset, offset + length));
    }
    const descriptor = openSync(path, 'r');
    try {
      return places.map((place) =>
        isWithin(place) ? readAt(descriptor, place.offset, place.length) : undefined,
      );
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return places.map(() => undefined);
  }
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const got = readSync(descriptor, buffer, read, length - read, position + read);
    if (got === 0) break;
    read += got;
  }
  return buffer.subarray(0, read);
}
