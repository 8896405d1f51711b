import { endsWord, isBlank, isFlowSign, isLineBreak } from './yaml-signs.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const HASH = 0x23;
const DOUBLE_QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** The offset after the quoted scalar that starts at `start`; the end where it is not closed. */
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

/**
 * The offset at which a plain scalar stops: at `: `, a comment, in flow style a flow sign, or the end
 * of a line. In block style it goes on over the lines indented deeper than the collection it is in.
 */
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

/** After `|` or `>`: every line indented deeper than the collection it is in belongs to the text. */
export function blockScalarEnd(source: string, start: number, parentColumn: number): number {
  let position = lineEnd(source, start);
  while (position < source.length) {
    const next = nextContentLine(source, position);
    if (next.indent <= parentColumn) break;
    position = lineEnd(source, next.offset);
  }
  return position;
}

/** The offset of the line feed that ends the line, or the end. */
export function lineEnd(source: string, start: number): number {
  const end = source.indexOf('\n', start);
  return end === -1 ? source.length : end;
}

/** The next line that is not blank: where its text begins, and how far it is indented; -1 at the end. */
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
