import { createHash, hash } from 'node:crypto';
import { compareBytes } from './compare-bytes.ts';

/** File of an artifact package, with the path and executable bit that the content hash covers. */
export interface HashedFile {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** Bytes of a frame in addition to path and content: two lengths, two colons and the mode. */
const FRAME_BYTES = 40;

/** Shared buffer for most encodings, so that hashing 10,000 packages allocates no memory. */
const scratch = Buffer.alloc(256 * 1024);

/**
 * Returns a SHA-256 hash over a length-framed encoding (SPEC-27). Files are ordered by the bytes of
 * their paths, each as `<path length>:<path><x|-><byte length>:<bytes>` with lengths in decimal
 * bytes. Different packages never share an encoding.
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

/** Returns the SHA-256 hash of bytes or a string, as `sha256:` and hexadecimal digits. */
export function bytesHash(bytes: Uint8Array | string): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}

/** Incremental form of `bytesHash`. */
export interface IncrementalHash {
  add(bytes: Uint8Array): void;
  /** `add` must not be called afterward. */
  end(): string;
}

/** Starts a SHA-256 hash of content that arrives in parts. */
export function startHash(): IncrementalHash {
  const sum = createHash('sha256');
  return {
    add: (bytes) => {
      sum.update(bytes);
    },
    end: () => `sha256:${sum.digest('hex')}`,
  };
}
