/**
 * An engine that embeds by itself takes a text where others take a vector. Whoever makes and keeps
 * vectors need not know: on the way to such an engine the text is the vector, a number for each byte.
 */
export function textToVector(text: string): Float32Array {
  return Float32Array.from(Buffer.from(text, 'utf8'));
}

export function vectorToText(vector: Float32Array): string {
  return Buffer.from(Uint8Array.from(vector)).toString('utf8');
}
