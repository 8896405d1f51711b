import { createHash, hash } from 'node:crypto';
import { compareBytes } from './compare-bytes.ts';

/** File of an artifact package, with the path and executable bit that the content hash covers. */
export interface HashedFile {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** Size of a frame besides path and content: two lengths, two colons and the mode. */
const FRAME_BYTES = 40;

/** Shared buffer, so that hashing 10,000 packages allocates no memory for most encodings. */
const scratch = Buffer.alloc(256 * 1024);

/**
 * Returns the SHA-256 hash of a package (SPEC-27). Files are in byte order of their paths, each encoded as `<path
 * length>:<path><x|-><byte length>:<bytes>` with decimal lengths. Different packages never have the same encoding.
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

/** Computes a `bytesHash` of content that arrives in parts. */
export interface IncrementalHash {
  add(bytes: Uint8Array): void;
  /** Returns the hash. Do not call `add` afterward. */
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
