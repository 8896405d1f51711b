/**
 * Encodes a string as a vector, one number per byte: an engine that embeds receives texts through the interface for
 * vectors.
 */
export function textToVector(text: string): Float32Array {
  return Float32Array.from(Buffer.from(text, 'utf8'));
}

export function vectorToText(vector: Float32Array): string {
  return Buffer.from(Uint8Array.from(vector)).toString('utf8');
}
