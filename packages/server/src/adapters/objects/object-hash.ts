import { bytesHash } from '@catalog/core/artifact/content-hash';

const CONTENT_HASH = /^sha256:([0-9a-f]{64})$/;

/** Returns the hex digits of a content hash. Rejects every other spelling, because the digits become part of a path. */
export function digestOf(content_hash: string): string {
  const hex = CONTENT_HASH.exec(content_hash)?.[1];
  if (hex === undefined) throw new Error('A content hash has the form sha256:<hex>.');
  return hex;
}

export function requireMatchingHash(content_hash: string, bytes: Uint8Array): void {
  if (bytesHash(bytes) !== content_hash) throw new Error('The content does not match its hash.');
}
