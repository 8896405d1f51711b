import { MAX_WEBHOOK_RESPONSE_BYTES } from '@catalog/core/ports/webhook-sender';

/** Start of a response body as text that any store accepts: without partial characters and NUL. */
export function toExcerpt(bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  const text = decodeStart(bytes).replaceAll('\0', '\uFFFD');
  // A byte that is not text becomes a character of three bytes.
  return Buffer.byteLength(text) <= MAX_WEBHOOK_RESPONSE_BYTES
    ? text
    : decodeStart(Buffer.from(text));
}

function decodeStart(bytes: Uint8Array): string {
  const start = bytes.subarray(0, MAX_WEBHOOK_RESPONSE_BYTES);
  // A character that continues after the end is left out in this mode.
  return new TextDecoder().decode(start, { stream: true });
}
