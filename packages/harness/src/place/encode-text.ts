const encoder = new TextEncoder();

const SHARED_LENGTH = 16 * 1024;
const SLAB_BYTES = 16 * SHARED_LENGTH;
/** Maximum number of bytes of a UTF-16 unit in UTF-8. */
const BYTES_PER_UNIT = 3;

let slab = new Uint8Array(0);
let used = 0;

/**
 * Encodes text. Small strings share larger buffers, because one buffer for each of ten thousand files takes longer than
 * the encoding.
 */
export function encodeText(text: string): Uint8Array {
  if (text.length > SHARED_LENGTH) return encoder.encode(text);
  if (slab.length - used < text.length * BYTES_PER_UNIT) {
    slab = new Uint8Array(SLAB_BYTES);
    used = 0;
  }
  const { written } = encoder.encodeInto(text, slab.subarray(used));
  const bytes = slab.subarray(used, used + written);
  used += written;
  return bytes;
}
