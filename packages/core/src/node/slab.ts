/** Buffer for many small files, because separate allocations are slow. */
export interface Slab {
  take(size: number): Uint8Array;
}

const SLAB_BYTES = 1024 * 1024;

export function openSlab(): Slab {
  let piece = Buffer.allocUnsafeSlow(0);
  let used = 0;
  return {
    take: (size) => {
      if (size > SLAB_BYTES / 4) return Buffer.allocUnsafeSlow(size);
      if (used + size > piece.length) {
        piece = Buffer.allocUnsafeSlow(SLAB_BYTES);
        used = 0;
      }
      used += size;
      return piece.subarray(used - size, used);
    },
  };
}
