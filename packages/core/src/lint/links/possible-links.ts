export interface PossibleLink {
  /** Offset of the `]` or `<` before the target. */
  offset: number;
  destination: string;
  /** False if escapes, entities, brackets or a line break may change the target. */
  certain: boolean;
}

const NONE: readonly PossibleLink[] = [];

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const OPENING_PARENTHESIS = 0x28;
const CLOSING_PARENTHESIS = 0x29;
const COLON = 0x3a;
const LESS_THAN = 0x3c;
const CLOSING_BRACKET = 0x5d;
const DELETE = 0x7f;

/** The only kind of link in `<...>` that must be checked. */
const FILE_AUTOLINK = /<file:[^\s<>]*/gi;

/**
 * Lists everything that Markdown could parse as a link to the catalog, with some false positives. Scans once without
 * parsing. A target follows `](` or `]:`, or is in `<...>` with a scheme. A property test compares the result with the
 * Markdown parser.
 */
export function possibleLinks(prose: string): readonly PossibleLink[] {
  let found: PossibleLink[] | undefined;
  for (let at = prose.indexOf(']'); at !== -1; at = prose.indexOf(']', at + 1)) {
    const next = prose.charCodeAt(at + 1);
    if (next !== OPENING_PARENTHESIS && next !== COLON) continue;
    const start = skipBlanks(prose, at + 2);
    if (!isUncheckedTarget(prose, start)) (found ??= []).push(readDestination(prose, at, start));
  }
  if (!prose.includes('<')) return found ?? NONE;
  for (const { index, 0: text } of prose.matchAll(FILE_AUTOLINK)) {
    (found ??= []).push({ offset: index, destination: text.slice(1), certain: true });
  }
  return found ?? NONE;
}

function isUncheckedTarget(prose: string, start: number): boolean {
  return (
    prose.startsWith('https://', start) ||
    prose.startsWith('http://', start) ||
    prose.startsWith('mailto:', start) ||
    prose.startsWith('#', start)
  );
}

function readDestination(prose: string, offset: number, start: number): PossibleLink {
  const brokenLine = isLineBreak(prose.charCodeAt(start));
  const bracketed = prose.charCodeAt(start) === LESS_THAN;
  const end = bracketed ? endOfBracketed(prose, start + 1) : endOfPlain(prose, start);
  const destination = prose.slice(bracketed ? start + 1 : start, end);
  const stopped = prose.charCodeAt(end);
  const isCut = isControl(stopped) || (stopped === CLOSING_BRACKET && !bracketed);
  const certain = !brokenLine && !isCut && !/[\\&]/.test(destination);
  return { offset, destination, certain };
}

/** Returns the end of a target in brackets. A line break or a second `<` means that it is not a link. */
function endOfBracketed(prose: string, start: number): number {
  for (let at = start; at < prose.length; at += 1) {
    const sign = prose[at];
    if (sign === '>' || sign === '<' || sign === '\n') return at;
    if (sign === '\\') at += 1;
  }
  return prose.length;
}

/** Returns the end of a plain target: white space, a parenthesis or the next bracket. */
function endOfPlain(prose: string, start: number): number {
  let open = 0;
  for (let at = start; at < prose.length; at += 1) {
    const code = prose.charCodeAt(at);
    if (code <= SPACE || code === DELETE || code === CLOSING_BRACKET) return at;
    if (code === OPENING_PARENTHESIS) open += 1;
    if (code === CLOSING_PARENTHESIS && --open < 0) return at;
    if (prose[at] === '\\') at += 1;
  }
  return prose.length;
}

function skipBlanks(prose: string, start: number): number {
  let at = start;
  while (isBlank(prose.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function isControl(code: number): boolean {
  return (code < SPACE && !isBlank(code) && !isLineBreak(code)) || code === DELETE;
}
