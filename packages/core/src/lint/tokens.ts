export const BYTES_PER_TOKEN = 4;

/** Estimates the number of tokens: a quarter of its bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
