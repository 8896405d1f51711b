/** The bytes of a text in base64, or undefined where it is none; of any length, which no pattern takes. */
export function readBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
