const encoder = new TextEncoder();

const SHARED_LENGTH = 16 * 1024;
const SLAB_BYTES = 16 * SHARED_LENGTH;
/** A UTF-16 code unit has at most three bytes in UTF-8. */
const BYTES_PER_UNIT = 3;

let slab = new Uint8Array(0);
let used = 0;

/**
 * Small strings share larger buffers that are never reused, because allocating a buffer for each of ten
 * thousand files costs more than encoding them.
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
