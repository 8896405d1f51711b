import { MAX_WEBHOOK_RESPONSE_BYTES } from '@catalog/core/ports/webhook-sender';

/** Decodes the start of a response. Omits incomplete characters and NUL, which some stores reject. */
export function toExcerpt(bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  const text = decodeStart(bytes).replaceAll('\0', '\uFFFD');
  // An invalid byte becomes a replacement character of three bytes.
  return Buffer.byteLength(text) <= MAX_WEBHOOK_RESPONSE_BYTES
    ? text
    : decodeStart(Buffer.from(text));
}

function decodeStart(bytes: Uint8Array): string {
  const start = bytes.subarray(0, MAX_WEBHOOK_RESPONSE_BYTES);
  return new TextDecoder().decode(start, { stream: true });
}
