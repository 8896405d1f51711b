/** A place that may be a link of Markdown, as it is written. */
export interface PossibleLink {
  /** Where the destination is introduced: at the `]` before it, or at the `<`. */
  offset: number;
  destination: string;
  /** False where escapes, entities, brackets or a line break may make the destination another. */
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

/** The one kind of `<scheme:...>` link that has to be looked at. */
const FILE_AUTOLINK = /<file:[^\s<>]*/gi;

/**
 * Everything in a text that Markdown could read as a link to something of the catalogue, and more:
 * code, comments and unmatched brackets are not told apart. One pass, no structure; `readLinks` is
 * what knows.
 *
 * A link's destination follows `](`, a definition's `]:`; nothing else introduces one but `<` with a
 * scheme. A property test holds this to the Markdown parser.
 */
export function possibleLinks(prose: string): readonly PossibleLink[] {
  let found: PossibleLink[] | undefined;
  for (let at = prose.indexOf(']'); at !== -1; at = prose.indexOf(']', at + 1)) {
    const next = prose.charCodeAt(at + 1);
    if (next !== OPENING_PARENTHESIS && next !== COLON) continue;
    const start = skipBlanks(prose, at + 2);
    if (!isElsewhere(prose, start)) (found ??= []).push(readDestination(prose, at, start));
  }
  if (!prose.includes('<')) return found ?? NONE;
  for (const { index, 0: text } of prose.matchAll(FILE_AUTOLINK)) {
    (found ??= []).push({ offset: index, destination: text.slice(1), certain: true });
  }
  return found ?? NONE;
}

/** An address on the web, or a place in the same text: taken as it is, however it goes on. */
function isElsewhere(prose: string, start: number): boolean {
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

/** Up to the closing `>`; a line break or a second `<` makes it no link at all. */
function endOfBracketed(prose: string, start: number): number {
  for (let at = start; at < prose.length; at += 1) {
    const sign = prose[at];
    if (sign === '>' || sign === '<' || sign === '\n') return at;
    if (sign === '\\') at += 1;
  }
  return prose.length;
}

/**
 * Up to white space or the parenthesis that closes the link; and no further than the next bracket,
 * so that every character is read once, however many links might start before it.
 */
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

/** A control character that is not white space; the reader lets none into a manifest. */
function isControl(code: number): boolean {
  return (code < SPACE && !isBlank(code) && !isLineBreak(code)) || code === DELETE;
}
