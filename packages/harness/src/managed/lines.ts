/** Returns the line break of a string; `\n` by default. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

export function lineIndent(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && !isLineBreak(text.charCodeAt(start - 1))) start -= 1;
  let end = start;
  while (isBlank(text.charCodeAt(end))) end += 1;
  return text.slice(start, end);
}

export function lineEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !isLineBreak(text.charCodeAt(end))) end += 1;
  return end;
}

export function skipBlanks(text: string, offset: number): number {
  let end = offset;
  while (isBlank(text.charCodeAt(end))) end += 1;
  return end;
}

export function skipLineBreak(text: string, offset: number): number {
  if (text.startsWith('\r\n', offset)) return offset + 2;
  return isLineBreak(text.charCodeAt(offset)) ? offset + 1 : offset;
}

export function beforeLineBreak(text: string, offset: number): number {
  if (text.startsWith('\r\n', offset - 2)) return offset - 2;
  return isLineBreak(text.charCodeAt(offset - 1)) ? offset - 1 : offset;
}

export function hasLineBreak(text: string): boolean {
  return text.includes('\n') || text.includes('\r');
}

export function isLineBreak(unit: number): boolean {
  return unit === 0x0a || unit === 0x0d;
}

export function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}
