import { createHmac } from 'node:crypto';

/** One attempt to deliver a dispatch. */
export interface DispatchAttempt {
  /** The same for every attempt of a dispatch, so that a receiver can detect duplicates. */
  id: string;
  /** Time of this attempt. */
  time: Date;
  body: Uint8Array;
  secret: string;
  /** Secret before a rotation that is still valid. */
  previous_secret?: string | undefined;
}

/**
 * Returns the headers that prove where a dispatch comes from (SPEC-29). During a rotation,
 * `webhook-signature` has a signature for each secret; `X-Catalog-Signature`, which has room for one,
 * is keyed with the current secret.
 */
export function signDispatch({
  id,
  time,
  body,
  secret,
  previous_secret,
}: DispatchAttempt): Record<string, string> {
  const timestamp = String(Math.floor(time.getTime() / 1000));
  const secrets = previous_secret === undefined ? [secret] : [secret, previous_secret];
  const start = `${id}.${timestamp}.`;
  const signatures = secrets.map((one) => {
    const signature = createHmac('sha256', signingKey(one)).update(start).update(body);
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'x-catalog-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

const PREFIX = 'whsec_';
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The key that Standard Webhooks defines for a secret; a secret in another form is its own key. */
function signingKey(secret: string): Uint8Array | string {
  if (!secret.startsWith(PREFIX)) return secret;
  const encoded = secret.slice(PREFIX.length);
  return encoded !== '' && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : secret;
}
