import { endsWord, isBlank, isFlowSign, isLineBreak } from './yaml-signs.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const DOUBLE_QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

export function quotedEnd(source: string, start: number): number {
  const quote = source.charCodeAt(start);
  let position = start + 1;
  while (position < source.length) {
    const code = source.charCodeAt(position);
    const isEscape =
      quote === DOUBLE_QUOTE
        ? code === BACKSLASH
        : code === quote && source.charCodeAt(position + 1) === quote;
    if (code === quote && !isEscape) return position + 1;
    position += isEscape ? 2 : 1;
  }
  return source.length;
}

/** Returns the end of a plain scalar, including following lines with deeper indentation. */
export function plainEnd(
  source: string,
  start: number,
  inFlow: boolean,
  parentColumn: number,
): number {
  let position = plainLineEnd(source, start, inFlow);
  if (inFlow) return position;
  while (isLineBreak(source.charCodeAt(position))) {
    const next = nextContentLine(source, position);
    if (next.indent <= parentColumn) break;
    position = plainLineEnd(source, next.offset, inFlow);
  }
  return position;
}

function plainLineEnd(source: string, start: number, inFlow: boolean): number {
  let position = start;
  for (; position < source.length; position += 1) {
    const code = source.charCodeAt(position);
    if (isLineBreak(code) || (inFlow && isFlowSign(code))) break;
    if (code === COLON && endsWord(source.charCodeAt(position + 1), inFlow)) break;
    if (code === HASH && isBlank(source.charCodeAt(position - 1))) break;
  }
  return position;
}

/** Returns the end of a block scalar, which includes all lines with deeper indentation. */
export function blockScalarEnd(source: string, start: number, parentColumn: number): number {
  let position = lineEnd(source, start);
  while (position < source.length) {
    const next = nextContentLine(source, position);
    if (next.indent <= parentColumn) break;
    position = lineEnd(source, next.offset);
  }
  return position;
}

export function lineEnd(source: string, start: number): number {
  const end = source.indexOf('\n', start);
  return end === -1 ? source.length : end;
}

function nextContentLine(source: string, start: number): { offset: number; indent: number } {
  let lineStart = start;
  let offset = start;
  for (; offset < source.length; offset += 1) {
    const code = source.charCodeAt(offset);
    if (code === LINE_FEED) lineStart = offset + 1;
    else if (code !== SPACE && code !== CARRIAGE_RETURN) break;
  }
  return { offset, indent: offset < source.length ? offset - lineStart : -1 };
}
