const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

export function isDocumentSign(source: string, offset: number): boolean {
  if (source[offset] === '%') return true;
  if (!source.startsWith('---', offset) && !source.startsWith('...', offset)) return false;
  return endsWord(source.charCodeAt(offset + 3), false);
}

export function endsWord(code: number, inFlow: boolean): boolean {
  return isBlank(code) || (inFlow && isFlowSign(code));
}

/** Returns true for a space, a tab or the end of a line. `charCodeAt` returns NaN past the end. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || isLineBreak(code);
}

export function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN || Number.isNaN(code);
}

export function isFlowSign(code: number): boolean {
  return (
    code === COMMA ||
    code === OPENING_BRACKET ||
    code === CLOSING_BRACKET ||
    code === OPENING_BRACE ||
    code === CLOSING_BRACE
  );
}
