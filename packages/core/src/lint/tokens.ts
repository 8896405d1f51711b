export const BYTES_PER_TOKEN = 4;

/** Estimates tokens for all limits: a quarter of the number of bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
