/**
 * Uses one number per byte. An engine that embeds receives texts instead of vectors; this encoding
 * hides the difference.
 */
export function textToVector(text: string): Float32Array {
  return Float32Array.from(Buffer.from(text, 'utf8'));
}

export function vectorToText(vector: Float32Array): string {
  return Buffer.from(Uint8Array.from(vector)).toString('utf8');
}
