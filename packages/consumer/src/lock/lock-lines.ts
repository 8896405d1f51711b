export type Row = Record<string, unknown>;

/** Called with values in the order of the file. A callback can throw to stop. */
export interface LockReader {
  onValue: (key: string, value: unknown, line: number) => void;
  onItem: (key: string, item: unknown, line: number) => void;
}

/**
 * Reads a lock by lines in linear time. Returns the number of the first line that `formatLock` would not write;
 * undefined if there is none. Values equal those of a YAML parser. Changes by an editor or a merge are accepted:
 * comments, blank lines, CRLF, a byte order mark, spaces in brackets, and unknown keys.
 */
export function readLockLines(text: string, { onValue, onItem }: LockReader): number | undefined {
  const keys = new Set<string>();
  const cursor: Cursor = { text, at: text.startsWith(BYTE_ORDER_MARK) ? 1 : 0 };
  let open: OpenList | undefined;
  const close = (): void => {
    if (open?.has_items === false) onValue(open.key, null, open.line);
    open = undefined;
  };
  let line = 0;
  while (cursor.at < text.length) {
    line += 1;
    if (line > MAX_LINES) return line;
    const row = open?.usual === undefined ? undefined : readUsualRow(open.usual, cursor);
    if (row !== undefined || skip(ITEM_START, cursor)) {
      if (open === undefined) return line;
      const item = row ?? readLastValue(cursor);
      if (item === NOT_READ) return line;
      open.has_items = true;
      onItem(open.key, item, line);
      continue;
    }
    if (skip(EMPTY_LINE, cursor)) continue;
    const key = match(KEY, cursor)?.[1];
    if (key === undefined || keys.has(key)) return line;
    keys.add(key);
    close();
    if (skip(LINE_END, cursor)) {
      open = { key, line, usual: USUAL_ROWS.get(key), has_items: false };
      continue;
    }
    if (!skip(SPACES, cursor)) return line;
    const value = readLastValue(cursor);
    if (value === NOT_READ) return line;
    onValue(key, value, line);
  }
  close();
  return undefined;
}

/** Maximum number of lines, several times those for 100,000 files. Blank lines count too. */
export const MAX_LINES = 500_000;

interface OpenList {
  key: string;
  line: number;
  usual: UsualRow | undefined;
  has_items: boolean;
}

interface Cursor {
  readonly text: string;
  at: number;
}

const BYTE_ORDER_MARK = '\ufeff';

/** A comment, without characters that YAML does not allow in it. */
const COMMENT = String.raw`#[^\0-\x08\n-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]*`;
const END = String.raw`(?:\r?\n|\r?$)`;
const EMPTY_LINE = new RegExp(` *(?:${COMMENT})?${END}`, 'y');
const LINE_END = new RegExp(` *(?: ${COMMENT})?${END}`, 'y');
const ITEM_START = / {2}- +/y;
const SPACES = / +/y;
const KEY = /([A-Za-z][A-Za-z0-9_]*):(?=[ \r\n]|$)/y;
/** A key and its value, if that has neither quotes nor brackets. */
const MEMBER = /([A-Za-z][A-Za-z0-9_]*): +([A-Za-z0-9./_][A-Za-z0-9./_+:-]*)?/y;
const PLAIN = /[A-Za-z0-9./_][A-Za-z0-9./_+:-]*/y;

interface UsualRow {
  keys: readonly string[];
  pattern: RegExp;
}

function usualRow(...keys: string[]): UsualRow {
  const members = keys.map((key) => `${key}: (${PLAIN.source})`).join(', ');
  return { keys, pattern: new RegExp(String.raw` {2}- \{${members}\}\r?\n`, 'y') };
}

const USUAL_ROWS: ReadonlyMap<string, UsualRow> = new Map([
  ['files', usualRow('path', 'hash', 'target', 'id')],
  ['artifacts', usualRow('id', 'version', 'layer', 'content_hash', 'target')],
]);

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const DOT = 0x2e;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_MAP = 0x7b;
const CLOSE_MAP = 0x7d;

const MAX_DEPTH = 4;

const NOT_READ = Symbol('not read');

function skip(pattern: RegExp, cursor: Cursor): boolean {
  pattern.lastIndex = cursor.at;
  if (!pattern.test(cursor.text)) return false;
  cursor.at = pattern.lastIndex;
  return true;
}

function match(pattern: RegExp, cursor: Cursor): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found !== null) cursor.at = pattern.lastIndex;
  return found;
}

function skipSpaces(cursor: Cursor): void {
  while (cursor.text.charCodeAt(cursor.at) === SPACE) cursor.at += 1;
}

/** Reads a row in its usual form with one regular expression. */
function readUsualRow({ keys, pattern }: UsualRow, cursor: Cursor): Row | undefined {
  const { at } = cursor;
  const values = match(pattern, cursor);
  if (values === null) return undefined;
  const row: Row = {};
  for (let index = 0; index < keys.length; index += 1) {
    const value = resolvePlain(values[index + 1]);
    if (value === NOT_READ) {
      cursor.at = at;
      return undefined;
    }
    row[keys[index] ?? ''] = value;
  }
  return row;
}

function readLastValue(cursor: Cursor): unknown {
  const value = readValue(cursor, 0);
  return skip(LINE_END, cursor) ? value : NOT_READ;
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > MAX_DEPTH) return NOT_READ;
  switch (cursor.text.charCodeAt(cursor.at)) {
    case OPEN_MAP:
      return readMap(cursor, depth);
    case OPEN_LIST:
      return readList(cursor, depth);
    case QUOTE:
      return readQuoted(cursor);
    default:
      return resolvePlain(match(PLAIN, cursor)?.[0]);
  }
}

function readMap(cursor: Cursor, depth: number): unknown {
  const row: Row = {};
  cursor.at += 1;
  if (isNext(CLOSE_MAP, cursor)) return row;
  do {
    skipSpaces(cursor);
    const member = match(MEMBER, cursor);
    const key = member?.[1];
    if (key === undefined || Object.hasOwn(row, key)) return NOT_READ;
    const plain = member?.[2];
    const value = plain === undefined ? readValue(cursor, depth + 1) : resolvePlain(plain);
    if (value === NOT_READ) return NOT_READ;
    row[key] = value;
  } while (isNext(COMMA, cursor));
  return isNext(CLOSE_MAP, cursor) ? row : NOT_READ;
}

function readList(cursor: Cursor, depth: number): unknown {
  const items: unknown[] = [];
  cursor.at += 1;
  if (isNext(CLOSE_LIST, cursor)) return items;
  do {
    skipSpaces(cursor);
    const item = readValue(cursor, depth + 1);
    if (item === NOT_READ) return NOT_READ;
    items.push(item);
  } while (isNext(COMMA, cursor));
  return isNext(CLOSE_LIST, cursor) ? items : NOT_READ;
}

function isNext(code: number, cursor: Cursor): boolean {
  skipSpaces(cursor);
  if (cursor.text.charCodeAt(cursor.at) !== code) return false;
  cursor.at += 1;
  return true;
}

/** Reads a string in double quotes. The lock uses only the forms of JSON. */
function readQuoted(cursor: Cursor): unknown {
  const { text, at } = cursor;
  let end = at;
  do end = text.indexOf('"', end + 1);
  while (end !== -1 && isEscaped(text, end));
  if (end === -1) return NOT_READ;
  cursor.at = end + 1;
  try {
    return JSON.parse(text.slice(at, end + 1));
  } catch {
    return NOT_READ;
  }
}

function isEscaped(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 1;
}

const INTEGER = /^(?:0|[1-9]\d{0,8})$/;
const VERSION = /^\d+\.\d+\.\d+(?:-[A-Za-z][A-Za-z0-9]*)?$/;
/** Scalars that YAML 1.2 does not read as a string. */
const RESERVED = /^(?:null|true|false|\.\d.*|\.inf|\.nan)$/i;

/** Fast check, so that the regular expression runs for few values. */
function mayBeReserved(first: number, { length }: string): boolean {
  return first === DOT || length === 4 || length === 5;
}

function resolvePlain(text: string | undefined): unknown {
  if (text === undefined || text.charCodeAt(text.length - 1) === COLON) return NOT_READ;
  const first = text.charCodeAt(0);
  if (first >= 0x30 && first <= 0x39) {
    if (VERSION.test(text)) return text;
    return INTEGER.test(text) ? Number(text) : NOT_READ;
  }
  if (!mayBeReserved(first, text) || !RESERVED.test(text)) return text;
  switch (text) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'null':
      return null;
    default:
      return NOT_READ;
  }
}
