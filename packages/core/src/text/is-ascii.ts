/** Whether a text is nothing but ASCII; far cheaper than looking for anything in it. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
