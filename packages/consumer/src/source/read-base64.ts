/**
 * Decodes base64; undefined if it is malformed. Compares the result after encoding it again, because regular
 * expressions fail on long strings.
 */
export function readBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
