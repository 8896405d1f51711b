/** A number for unlimited lanes that fits into a 32-bit column. */
export const UNLIMITED_LANES = 2 ** 31 - 1;
