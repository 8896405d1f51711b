import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { formatSecret, SECRET_BYTES } from '@catalog/core/webhook/sign-dispatch';

/** An identifier that cannot be guessed. */
export function newId(): string {
  return randomUUID();
}

/** 32 random bytes in hex: the secret of a webhook. */
export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

/** A secret that libraries for Standard Webhooks accept. */
export function newWebhookSecret(): string {
  return formatSecret(randomBytes(SECRET_BYTES));
}

/** 16 random bytes, to be hashed with a password. */
export function newSalt(): Uint8Array {
  return randomBytes(16);
}

const TRACE_ID_BYTES = 16;
const drawn = Buffer.alloc(256 * TRACE_ID_BYTES);
let used = drawn.length;

/** 16 hex digits: a span id of the W3C recommendation. */
export function newSpanId(): string {
  return newTraceId().slice(TRACE_ID_BYTES);
}

/** 32 hex digits: a trace id of the W3C recommendation. Every request has one, so they are drawn in hundreds. */
export function newTraceId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  used += TRACE_ID_BYTES;
  return drawn.toString('hex', used - TRACE_ID_BYTES, used);
}
