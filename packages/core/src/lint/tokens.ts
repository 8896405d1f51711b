export const BYTES_PER_TOKEN = 4;

/** Tokens of a text as every limit here counts them: a quarter of its bytes. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
