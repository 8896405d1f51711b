/** Returns true for ASCII. Much faster than a regular expression. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
