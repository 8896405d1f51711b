/** The line break a text uses, by its first one; the one of a new file where it has none. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

/** The whitespace that begins the line on which `offset` lies. */
export function lineIndent(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start -= 1;
  let end = start;
  while (isBlank(text.charCodeAt(end))) end += 1;
  return text.slice(start, end);
}

/** The offset of the line break that ends the line on which `offset` lies, or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end += 1;
  return end;
}

/** The offset behind the blanks that follow `offset`. */
export function skipBlanks(text: string, offset: number): number {
  let end = offset;
  while (isBlank(text.charCodeAt(end))) end += 1;
  return end;
}

/** The offset behind the line break at `offset`; the same where there is none. */
export function skipLineBreak(text: string, offset: number): number {
  if (text.startsWith('\r\n', offset)) return offset + 2;
  return isLineBreak(text.charCodeAt(offset)) ? offset + 1 : offset;
}

/** The offset before the line break that ends at `offset`; the same where there is none. */
export function beforeLineBreak(text: string, offset: number): number {
  if (text.startsWith('\r\n', offset - 2)) return offset - 2;
  return isLineBreak(text.charCodeAt(offset - 1)) ? offset - 1 : offset;
}

/** Whether a text is over more than one line. */
export function hasLineBreak(text: string): boolean {
  return text.includes('\n') || text.includes('\r');
}

/** A code unit that ends a line. */
export function isLineBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

/** A code unit of horizontal whitespace. */
export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}
