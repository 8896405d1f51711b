import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Parts of an attempt that the signature covers. */
export interface Dispatch {
  /** Value of `webhook-id`, the same for all attempts. */
  id: string;
  /** Time of the attempt, in seconds since 1970. */
  timestamp: number;
  /** Body exactly as it is sent. */
  body: Uint8Array;
}

/** Secret prepared for signing, which takes as long as a signature. */
export interface SigningKey {
  standard: KeyObject;
  /** Key of `x-catalog-signature`: the bytes of the whole secret. */
  whole: KeyObject;
}

/** Keys of a receiver, newest first. During a rotation there are two. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** Creates the signing key of a receiver from its stored secret. */
export function createSigningKey(secret: string): SigningKey {
  return {
    standard: createSecretKey(toKey(secret)),
    whole: createSecretKey(Buffer.from(secret)),
  };
}

/**
 * Returns the headers of an attempt (SPEC-29). `webhook-signature` has one signature per key, as Standard Webhooks
 * defines; `x-catalog-signature` has that of the newest key.
 */
export function signDispatch({ id, timestamp, body }: Dispatch, keys: SigningKeys) {
  const head = `${id}.${timestamp}.`;
  const signatures = keys.map(({ standard }) => {
    const digest = createHmac('sha256', standard).update(head).update(body).digest('base64');
    return `v1,${digest}`;
  });
  const digest = createHmac('sha256', keys[0].whole).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'user-agent': 'catalog',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'x-catalog-signature': `sha256=${digest}`,
  };
}

/** Formats random bytes as a secret for Standard Webhooks. */
export function formatSecret(bytes: Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(bytes).toString('base64')}`;
}

/** Number of random bytes in a generated webhook secret. */
export const SECRET_BYTES = 32;

/** Returns the size of the key of a secret. */
export function secretBytes(secret: string): number {
  return toKey(secret).length;
}

/** Returns the key of `webhook-signature`: the decoded part after `whsec_`, or the whole secret. */
function toKey(secret: string): Buffer {
  const encoded = secret.slice(SECRET_PREFIX.length);
  const isEncoded = secret.startsWith(SECRET_PREFIX) && encoded !== '' && BASE64.test(encoded);
  return isEncoded ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
