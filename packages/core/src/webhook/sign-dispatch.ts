import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** One attempt to deliver a webhook. */
export interface Dispatch {
  /** Value of `webhook-id`, the same in every attempt. */
  id: string;
  /** Time of the attempt, in seconds since 1970. */
  timestamp: number;
  /** Body exactly as it is sent. */
  body: Uint8Array;
}

/** Secrets of a receiver, newest first: during a rotation, the old secret follows the new one. */
export type Secrets = readonly [string, ...string[]];

/**
 * Returns the headers of a dispatch (SPEC-29). `webhook-signature` has one signature per secret, as
 * Standard Webhooks defines rotation. `x-catalog-signature` has room for one, made with the newest.
 */
export function signDispatch({ id, timestamp, body }: Dispatch, secrets: Secrets) {
  const head = `${id}.${timestamp}.`;
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', toKey(secret)).update(head).update(body).digest('base64');
    return `v1,${digest}`;
  });
  const digest = createHmac('sha256', secrets[0]).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'user-agent': 'catalog',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
    'x-catalog-signature': `sha256=${digest}`,
  };
}

/** Formats random bytes as a secret that libraries for Standard Webhooks accept. */
export function formatSecret(bytes: Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(bytes).toString('base64')}`;
}

/** Number of random bytes in a generated secret. */
export const SECRET_BYTES = 32;

/** Returns the key of `webhook-signature`: the decoded part after `whsec_`, or else the whole secret. */
function toKey(secret: string): Buffer {
  const encoded = secret.slice(SECRET_PREFIX.length);
  const isEncoded = secret.startsWith(SECRET_PREFIX) && encoded !== '' && BASE64.test(encoded);
  return isEncoded ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
