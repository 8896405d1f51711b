import type { Json, JsonObject } from '@catalog/core/json';
import { createScanner, type JSONScanner } from 'jsonc-parser';
import { MAX_DEPTH } from '../max-depth.ts';
import { invalidTarget } from '../refusals.ts';
import type { Comment } from '../splices.ts';

/** Node of a JSON document; `end` is exclusive. */
export type JsonNode = JsonContainer | JsonScalar;

export interface JsonContainer {
  kind: 'object' | 'array';
  start: number;
  end: number;
  items: JsonItem[];
}

export interface JsonScalar {
  kind: 'scalar';
  start: number;
  end: number;
  value: null | boolean | number | string;
}

export interface JsonItem {
  /** Unescaped key; undefined in an array. */
  key: string | undefined;
  /** Offset of the key, or of the value in an array. */
  start: number;
  value: JsonNode;
  comma: number | undefined;
}

export interface JsonDocument {
  text: string;
  /** Root; undefined in an empty file or one with only comments. */
  root: JsonNode | undefined;
  comments: Comment[];
}

/** The scanner's own names are a const enum, which isolated modules cannot read. */
const TOKEN = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  whitespace: 15,
  end: 17,
} as const;

interface Reader {
  text: string;
  file: string;
  scanner: JSONScanner;
  token: number;
  comments: Comment[];
}

/** Parses a JSON document. Errors contain line and column. */
export function parseJsonDocument(text: string, file: string): JsonDocument {
  const scanner = createScanner(text);
  if (text.startsWith('\uFEFF')) scanner.setPosition(1);
  const reader: Reader = { text, file, scanner, token: TOKEN.end, comments: [] };
  advance(reader);
  const root = reader.token === TOKEN.end ? undefined : readValue(reader, 0);
  if (reader.token !== TOKEN.end) refuse(reader, 'holds more after its closing bracket');
  return { text, root, comments: reader.comments };
}

function advance(reader: Reader): void {
  const { scanner } = reader;
  for (;;) {
    reader.token = scanner.scan();
    const problem: number = scanner.getTokenError();
    if (problem !== 0) refuse(reader, 'is not valid JSON');
    const line = reader.token === TOKEN.lineComment;
    if (line || reader.token === TOKEN.blockComment) {
      reader.comments.push({
        start: scanner.getTokenOffset(),
        end: scanner.getPosition(),
        line,
      });
    } else if (reader.token !== TOKEN.lineBreak && reader.token !== TOKEN.whitespace) {
      return;
    }
  }
}

function readValue(reader: Reader, depth: number): JsonNode {
  switch (reader.token) {
    case TOKEN.openBrace:
    case TOKEN.openBracket:
      return readContainer(reader, depth);
    case TOKEN.string:
      return readScalar(reader, reader.scanner.getTokenValue());
    case TOKEN.number:
      return readScalar(reader, Number(reader.scanner.getTokenValue()));
    case TOKEN.true:
      return readScalar(reader, true);
    case TOKEN.false:
      return readScalar(reader, false);
    case TOKEN.null:
      return readScalar(reader, null);
    default:
      return missing(reader, 'a value');
  }
}

function readScalar(reader: Reader, value: JsonScalar['value']): JsonScalar {
  const { scanner } = reader;
  const start = scanner.getTokenOffset();
  const end = scanner.getPosition();
  advance(reader);
  return { kind: 'scalar', start, end, value };
}

function readContainer(reader: Reader, depth: number): JsonContainer {
  const { scanner } = reader;
  const start = scanner.getTokenOffset();
  const kind = reader.token === TOKEN.openBrace ? 'object' : 'array';
  const close = kind === 'object' ? TOKEN.closeBrace : TOKEN.closeBracket;
  if (depth === MAX_DEPTH) refuse(reader, `is nested deeper than ${MAX_DEPTH} levels`);
  const items: JsonItem[] = [];
  advance(reader);
  while (reader.token !== close) {
    const last = items.at(-1);
    if (last !== undefined && last.comma === undefined) missing(reader, 'a comma');
    items.push(readItem(reader, kind, depth));
  }
  const end = scanner.getPosition();
  advance(reader);
  return { kind, start, end, items };
}

function readItem(reader: Reader, kind: JsonContainer['kind'], depth: number): JsonItem {
  const { scanner } = reader;
  const start = scanner.getTokenOffset();
  const key = kind === 'object' ? readKey(reader) : undefined;
  const item: JsonItem = { key, start, value: readValue(reader, depth + 1), comma: undefined };
  if (reader.token === TOKEN.comma) {
    item.comma = scanner.getTokenOffset();
    advance(reader);
  }
  return item;
}

function readKey(reader: Reader): string {
  const key = reader.scanner.getTokenValue();
  expect(reader, TOKEN.string, 'a name in quotes or a closing brace');
  expect(reader, TOKEN.colon, 'a colon');
  return key;
}

function expect(reader: Reader, token: number, what: string): void {
  if (reader.token !== token) missing(reader, what);
  advance(reader);
}

function missing(reader: Reader, what: string): never {
  return refuse(reader, `is not valid JSON: ${what} is missing here`);
}

function refuse(reader: Reader, problem: string): never {
  throw invalidTarget(reader.text, reader.scanner.getTokenOffset(), reader.file, problem);
}

/** Converts a node. Objects have no prototype, so that no key is inherited. */
export function toJson(node: JsonNode): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map((item) => toJson(item.value));
  const object: JsonObject = Object.create(null);
  for (const item of node.items) object[item.key ?? ''] = toJson(item.value);
  return object;
}

/** Members by object, cached because an object can have thousands. */
const members = new WeakMap<JsonContainer, Map<string, JsonItem>>();

/** Returns a member by name; the first one if the name is repeated. */
export function getMember(object: JsonContainer, key: string): JsonItem | undefined {
  let known = members.get(object);
  if (known === undefined) {
    known = new Map(object.items.toReversed().map((item) => [item.key ?? '', item]));
    members.set(object, known);
  }
  return known.get(key);
}
