import { createHash, hash } from 'node:crypto';
import { compareBytes } from './compare-bytes.ts';

/** A file as the hash sees it. */
export interface HashedFile {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** What a frame needs beside path and bytes: two lengths, two colons and the mode. */
const FRAME_BYTES = 40;

/** Most encodings are written here one after the other: hashing ten thousand packages allocates nothing. */
const scratch = Buffer.alloc(256 * 1024);

/**
 * SHA-256 over a length-framed encoding (SPEC-27). Each file, paths in byte order, is
 * `<path length>:<path><x|-><byte length>:<bytes>`, lengths in decimal bytes; no two different
 * packages share an encoding.
 */
export function contentHash(files: readonly HashedFile[]): string {
  const sorted = files.toSorted((a, b) => compareBytes(a.path, b.path));
  const encoding = reserve(sorted);
  let length = 0;
  for (const { path, bytes, executable } of sorted) {
    const mode = executable ? 'x' : '-';
    length += encoding.write(
      `${Buffer.byteLength(path)}:${path}${mode}${bytes.length}:`,
      length,
      'utf8',
    );
    encoding.set(bytes, length);
    length += bytes.length;
  }
  return bytesHash(encoding.subarray(0, length));
}

function reserve(files: readonly HashedFile[]): Buffer {
  let size = 0;
  for (const { path, bytes } of files) size += path.length * 3 + bytes.length + FRAME_BYTES;
  return size > scratch.length ? Buffer.allocUnsafe(size) : scratch;
}

/** SHA-256 of some bytes in the registry's spelling, `sha256:<hex>`. */
export function bytesHash(bytes: Uint8Array | string): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}

/** The same hash of bytes that come piece by piece. */
export interface PieceHash {
  add(bytes: Uint8Array): void;
  /** The hash of all pieces; nothing can be added after it. */
  end(): string;
}

export function startHash(): PieceHash {
  const sum = createHash('sha256');
  return {
    add: (bytes) => {
      sum.update(bytes);
    },
    end: () => `sha256:${sum.digest('hex')}`,
  };
}
