/**
 * SHA-256 for browsers instead of `node:crypto`. The hash must be synchronous; `crypto.subtle` is not, and is missing
 * on plain HTTP.
 */

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

export function hash(_algorithm: 'sha256', data: Uint8Array | string, _encoding: 'hex'): string {
  return bytesToHex(sha256(typeof data === 'string' ? new TextEncoder().encode(data) : data));
}

export function createHash(_algorithm: 'sha256'): {
  update(bytes: Uint8Array): void;
  digest(encoding: 'hex'): string;
} {
  const sum = sha256.create();
  return {
    update: (bytes) => void sum.update(bytes),
    digest: () => bytesToHex(sum.digest()),
  };
}
