import { hash } from 'node:crypto';
import { compareBytes } from './compare-bytes.ts';

/** A file as the hash sees it. */
export interface HashedFile {
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

const encoder = new TextEncoder();

/**
 * SHA-256 over a length-framed encoding (decision 27). Each file, paths in byte order, is
 * `<path length>:<path><x|-><byte length>:<bytes>`, lengths in decimal bytes; no two different
 * packages share an encoding.
 */
export function contentHash(files: readonly HashedFile[]): string {
  const parts: Uint8Array[] = [];
  for (const file of files.toSorted((a, b) => compareBytes(a.path, b.path))) {
    const path = encoder.encode(file.path);
    parts.push(
      encoder.encode(`${path.length}:`),
      path,
      encoder.encode(`${file.executable ? 'x' : '-'}${file.bytes.length}:`),
      file.bytes,
    );
  }
  return bytesHash(parts.length === 0 ? new Uint8Array() : Buffer.concat(parts));
}

/** SHA-256 of some bytes in the registry's spelling, `sha256:<hex>`. */
export function bytesHash(bytes: Uint8Array | string): string {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}
