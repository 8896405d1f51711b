import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';
import { decodeBase64 } from './base64.ts';

/** SHA-256 of the public key (SubjectPublicKeyInfo, DER) in hexadecimal digits. */
export type KeyId = string;

/** Public key with its id. */
export interface PublicKey {
  key_id: KeyId;
  key: KeyObject;
}

/** Number of bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 64;

/** Returns true for the form of a key id: 64 lowercase hexadecimal digits. */
export function isKeyId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/** Returns the id and the encoding of a public key. */
export function describeKey(key: KeyObject): { key_id: KeyId; public_key: string } {
  const der = key.export({ type: 'spki', format: 'der' });
  return { key_id: hash('sha256', der, 'hex'), public_key: der.toString('base64') };
}

/** Reads a public key (SubjectPublicKeyInfo, DER, in base64); undefined unless it is Ed25519. */
export function readPublicKey(public_key: string): PublicKey | undefined {
  const der = decodeBase64(public_key);
  if (der === undefined) return undefined;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return undefined;
    const described = describeKey(key);
    return described.public_key === public_key ? { key_id: described.key_id, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns true if the signature, in canonical base64, is valid for the bytes. */
export function verifyEd25519({ key }: PublicKey, bytes: Uint8Array, signature: string): boolean {
  const decoded = decodeBase64(signature);
  if (decoded?.length !== SIGNATURE_BYTES) return false;
  return verify(null, bytes, key, decoded);
}
