import type { Refusal } from './refusal.ts';
import { blockScalarEnd, lineEnd, plainEnd, quotedEnd } from './yaml-scalars.ts';
import { endsWord, isDocumentSign, isLineBreak } from './yaml-signs.ts';

/** Maximum size of frontmatter, which legitimately has a few kilobytes. */
export const MAX_FRONTMATTER_BYTES = 65_536;
/** Maximum nesting, in block and flow style. */
export const MAX_DEPTH = 32;
/** Maximum number of keys and list items, and of lines. Parsing time grows with the square. */
export const MAX_ENTRIES = 2_000;
export const MAX_LINES = 2_000;
/** Maximum number of anchors, of aliases, and of merge keys. */
export const MAX_REFERENCES = 16;
export const MAX_KEY_LENGTH = 256;

/** Limits of a scan; files of the user may be larger. */
export interface ScanLimits {
  bytes: number;
  lines: number;
  entries: number;
  references: number;
}

const FRONTMATTER_LIMITS: ScanLimits = {
  bytes: MAX_FRONTMATTER_BYTES,
  lines: MAX_LINES,
  entries: MAX_ENTRIES,
  references: MAX_REFERENCES,
};

export interface ReferenceCounts {
  anchors: number;
  aliases: number;
  merge_keys: number;
}

export type PreScan =
  | { kind: 'clear'; seen: ReferenceCounts }
  | { kind: 'refused'; refusal: Refusal };

interface Scan {
  readonly source: string;
  readonly limits: ScanLimits;
  readonly seen: ReferenceCounts;
  position: number;
  lineStart: number;
  /** Start of the current node; -1 before it. */
  nodeStart: number;
  /** Start of a scalar that may be a key; -1 if there is none. */
  scalarStart: number;
  flowDepth: number;
  readonly blockColumns: number[];
  entries: number;
  refusal: Refusal | undefined;
}

const REFUSALS = {
  size: [
    ({ bytes }: ScanLimits) => `The YAML is longer than ${bytes} bytes.`,
    'Move long text into the body or a bundled file.',
  ],
  marker: [
    'The YAML contains a document marker or directive.',
    'Close the frontmatter with a line of exactly `---`. Quote a string that starts with `---`, `...`, or `%`.',
  ],
  lines: [
    ({ lines }: ScanLimits) => `The YAML has more than ${lines} lines.`,
    'Move long text into the body.',
  ],
  entries: [
    ({ entries }: ScanLimits) => `The YAML has more than ${entries} keys and list items.`,
    'Move long lists into a bundled file.',
  ],
  depth: [`Values are nested more than ${MAX_DEPTH} levels deep.`, 'Flatten the value.'],
  question: [
    'A key starts with `?`.',
    'Write the entry as `key: value`. Quote a string that starts with a question mark.',
  ],
  key: [
    `A key is longer than ${MAX_KEY_LENGTH} characters, or a string that contains \`: \` is not quoted.`,
    'Quote the string, or shorten the key.',
  ],
  tag: [
    'A string that starts with `!` is a YAML tag, and tags are not supported.',
    'Quote the string.',
  ],
  references: [
    ({ references }: ScanLimits) =>
      `The YAML has more than ${references} anchors, aliases, or merge keys.`,
    'Repeat the values instead. Quote a string that starts with `&` or `*`.',
  ],
} as const;

const SPACE = 0x20;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;

/**
 * Scans YAML before it is parsed, because the limits of the parser apply too late: a few hundred bytes of nested keys
 * or brackets keep the parser busy for seconds. The scan does not report invalid YAML.
 */
export function preScan(source: string, limits: ScanLimits = FRONTMATTER_LIMITS): PreScan {
  const scan: Scan = {
    source,
    limits,
    seen: { anchors: 0, aliases: 0, merge_keys: 0 },
    position: 0,
    lineStart: 0,
    nodeStart: -1,
    scalarStart: -1,
    flowDepth: 0,
    blockColumns: [],
    entries: 0,
    refusal: undefined,
  };
  checkSize(scan);
  startLine(scan);
  while (scan.position < source.length && scan.refusal === undefined) scanToken(scan);
  return scan.refusal === undefined
    ? { kind: 'clear', seen: scan.seen }
    : { kind: 'refused', refusal: scan.refusal };
}

/** Checks the size. Most sources need no exact count, because a UTF-16 unit has at most three bytes. */
function checkSize(scan: Scan): void {
  const { source, limits } = scan;
  if (source.length > limits.lines) {
    let end = -1;
    for (let line = 0; line < limits.lines && end < source.length; line += 1) {
      end = lineEnd(source, end + 1);
    }
    if (end + 1 < source.length) rejectSource(scan, end + 1, 'lines');
  }
  if (source.length * 3 > limits.bytes) {
    if (Buffer.byteLength(source) > limits.bytes) rejectSource(scan, 0, 'size');
  }
}

function startLine(scan: Scan): void {
  const { source } = scan;
  const start = scan.position;
  scan.lineStart = start;
  endNode(scan);
  while (source.charCodeAt(scan.position) === SPACE) scan.position += 1;
  if (isLineBreak(source.charCodeAt(scan.position))) return;
  if (scan.position === start && isDocumentSign(source, start)) rejectSource(scan, start, 'marker');
  if (scan.flowDepth === 0) closeBlocks(scan, scan.position - start);
}

function scanToken(scan: Scan): void {
  const { source, position } = scan;
  switch (source.charAt(position)) {
    case ' ':
    case '\t':
    case '\r':
      scan.position += 1;
      return;
    case '\n':
      scan.position += 1;
      startLine(scan);
      return;
    case '#':
      scan.position = lineEnd(source, position);
      return;
    case ',':
      nextEntry(scan);
      return;
    case '[':
    case '{':
      enterFlow(scan);
      return;
    case ']':
    case '}':
      leaveFlow(scan);
      return;
    case '"':
    case "'":
      passScalar(scan, quotedEnd(source, position));
      return;
    case '&':
      passReference(scan, 'anchors');
      return;
    case '*':
      passReference(scan, 'aliases');
      return;
    case '!':
      rejectSource(scan, position, 'tag');
      return;
    case '?':
    case '-':
    case ':':
    case '|':
    case '>':
      scanIndicator(scan);
      return;
    default:
      passPlain(scan);
  }
}

/** Handles an indicator, which must end a word. Otherwise it starts a plain scalar. */
function scanIndicator(scan: Scan): void {
  const { source, position } = scan;
  const inFlow = scan.flowDepth > 0;
  const endsIndicator = endsWord(source.charCodeAt(position + 1), inFlow);
  const sign = source[position];
  if (sign === '?' && endsIndicator) {
    rejectSource(scan, position, 'question');
  } else if (sign === '-' && endsIndicator && !inFlow) {
    openBlock(scan, position);
    nextEntry(scan);
  } else if (sign === ':' && (endsIndicator || followsQuoted(scan))) {
    scanValueSign(scan);
  } else if ((sign === '|' || sign === '>') && !inFlow) {
    scan.position = blockScalarEnd(source, position, topColumn(scan));
  } else passPlain(scan);
}

function enterFlow(scan: Scan): void {
  scan.flowDepth += 1;
  checkDepth(scan, scan.position);
  scan.position += 1;
  endNode(scan);
}

function leaveFlow(scan: Scan): void {
  scan.flowDepth = Math.max(0, scan.flowDepth - 1);
  scan.position += 1;
  endNode(scan);
}

/** Handles `:` after a key. In block style, it opens a mapping at the column of the key. */
function scanValueSign(scan: Scan): void {
  const { source, position, scalarStart } = scan;
  if (scalarStart !== -1) {
    const key = source.slice(scalarStart, position);
    if (key.length > MAX_KEY_LENGTH) rejectSource(scan, scalarStart, 'key');
    if (key.startsWith('<<') && key.trimEnd() === '<<') count(scan, 'merge_keys', scalarStart);
  }
  if (scan.flowDepth === 0) openBlock(scan, scan.nodeStart === -1 ? position : scan.nodeStart);
  nextEntry(scan);
}

function nextEntry(scan: Scan): void {
  scan.entries += 1;
  if (scan.entries > scan.limits.entries) rejectSource(scan, scan.position, 'entries');
  scan.position += 1;
  endNode(scan);
}

function openBlock(scan: Scan, offset: number): void {
  const column = offset - scan.lineStart;
  closeBlocks(scan, column);
  if (column > topColumn(scan)) scan.blockColumns.push(column);
  checkDepth(scan, offset);
}

function closeBlocks(scan: Scan, column: number): void {
  while (topColumn(scan) > column) scan.blockColumns.pop();
}

function topColumn(scan: Scan): number {
  return scan.blockColumns.at(-1) ?? -1;
}

function endNode(scan: Scan): void {
  scan.nodeStart = -1;
  scan.scalarStart = -1;
}

function startNode(scan: Scan): void {
  if (scan.nodeStart === -1) scan.nodeStart = scan.position;
}

function checkDepth(scan: Scan, offset: number): void {
  if (scan.flowDepth + scan.blockColumns.length > MAX_DEPTH) rejectSource(scan, offset, 'depth');
}

function passReference(scan: Scan, kind: 'anchors' | 'aliases'): void {
  const { source, position } = scan;
  startNode(scan);
  count(scan, kind, position);
  scan.position += 1;
  while (!endsWord(source.charCodeAt(scan.position), true)) scan.position += 1;
}

function count(scan: Scan, kind: keyof ReferenceCounts, offset: number): void {
  scan.seen[kind] += 1;
  if (scan.seen[kind] > scan.limits.references) rejectSource(scan, offset, 'references');
}

/** Returns true for a `:` after a quoted scalar, which in flow style ends a key even without a space. */
function followsQuoted(scan: Scan): boolean {
  if (scan.flowDepth === 0 || scan.scalarStart === -1) return false;
  const opening = scan.source.charCodeAt(scan.scalarStart);
  return opening === DOUBLE_QUOTE || opening === SINGLE_QUOTE;
}

function passScalar(scan: Scan, end: number): void {
  startNode(scan);
  scan.scalarStart = scan.position;
  scan.position = end;
}

function passPlain(scan: Scan): void {
  passScalar(scan, plainEnd(scan.source, scan.position, scan.flowDepth > 0, topColumn(scan)));
}

/** Records the first problem; later ones are ignored. */
function rejectSource(scan: Scan, offset: number, reason: keyof typeof REFUSALS): void {
  const [message, fix] = REFUSALS[reason];
  scan.refusal ??= {
    code: 'lint.frontmatter_limit',
    message: typeof message === 'string' ? message : message(scan.limits),
    fix,
    offset,
  };
}
