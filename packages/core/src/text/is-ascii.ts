/** Returns true if a string is ASCII only. Much faster than a search in the string. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
