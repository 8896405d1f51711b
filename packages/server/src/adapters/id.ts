import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { formatSecret, SECRET_BYTES } from '@catalog/core/webhook/sign-dispatch';

export function newId(): string {
  return randomUUID();
}

/** Returns 32 random bytes in hex. */
export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Returns a secret in the format of Standard Webhooks. */
export function newWebhookSecret(): string {
  return formatSecret(randomBytes(SECRET_BYTES));
}

export function newSalt(): Uint8Array {
  return randomBytes(16);
}

const TRACE_ID_BYTES = 16;
const drawn = Buffer.alloc(256 * TRACE_ID_BYTES);
let used = drawn.length;

export function newSpanId(): string {
  return newTraceId().slice(TRACE_ID_BYTES);
}

/** Returns a random trace id. Random bytes are generated in batches, because every request needs a trace id. */
export function newTraceId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += TRACE_ID_BYTES;
  return drawn.toString('hex', used - TRACE_ID_BYTES, used);
}
