import type { Json, JsonObject } from '@catalog/core/json';
import { ParseError, parseTOML, type AST } from 'toml-eslint-parser';
import { MAX_DEPTH } from '../max-depth.ts';
import type { Bracketed, BracketedItem } from '../edit-container.ts';
import { invalidTarget } from '../refusals.ts';
import type { Comment } from '../splices.ts';

/** Node of a TOML document, whatever its form in the file. */
export type TomlNode = TomlTable | TomlList | TomlScalar;

export interface TomlTable {
  kind: 'table';
  members: Map<string, TomlNode>;
  parts: TomlPart[];
  /** Braces of an inline table, which cannot be extended from outside. */
  brackets: Bracketed | undefined;
  /** Last pair of a table with dotted keys, after which another can follow. */
  dotted: { pair: TomlPair; names: number } | undefined;
}

export interface TomlList {
  kind: 'list';
  elements: TomlNode[];
  parts: TomlPart[];
  /** Brackets; undefined in an array of tables. */
  brackets: Bracketed | undefined;
}

export interface TomlScalar {
  kind: 'scalar';
  value: Json;
  parts: TomlPart[];
}

export type TomlPart = TomlHeader | TomlPair | TomlElement;

export interface TomlHeader {
  kind: 'header';
  start: number;
  end: number;
  pairs: TomlPair[];
}

export interface TomlPair extends BracketedItem {
  kind: 'pair';
  end: number;
  /** End offset of each name. */
  names: number[];
  /** Length of the path of the containing table. */
  depth: number;
  /** Inline table or list with the pair; undefined on its own line. */
  within: Bracketed | undefined;
  /** Number of line breaks before the pair that belong to it (`text-blocks.ts`). */
  breaks: 1;
}

export interface TomlElement extends BracketedItem {
  kind: 'element';
  end: number;
  within: Bracketed;
}

export interface TomlDocument {
  text: string;
  comments: readonly Comment[];
  root: TomlTable;
  pairs: TomlPair[];
  end: number | undefined;
}

interface Reader {
  text: string;
  file: string;
}

/** Parses a TOML 1.0 document. Errors contain line and column. */
export function parseTomlDocument(text: string, file: string): TomlDocument {
  const reader: Reader = { text, file };
  const program = parse(reader);
  const root = newTable();
  const pairs: TomlPair[] = [];
  const statements = program.body[0].body;
  for (const statement of statements) {
    if (statement.type === 'TOMLKeyValue') {
      pairs.push(readPair(reader, statement, root, 0, undefined));
    } else {
      readTable(reader, statement, root);
    }
  }
  const comments = program.comments.map(({ range: [start, end] }) => ({ start, end, line: true }));
  const ends = [statements.at(-1)?.range[1], comments.at(-1)?.end].filter(
    (end) => end !== undefined,
  );
  const end = ends.length === 0 ? undefined : Math.max(...ends);
  return { text, comments, root, pairs, end };
}

function parse({ text, file }: Reader): AST.TOMLProgram {
  try {
    // The parser supports no byte order mark, and misplaces a number at the end. A space and another line break keep
    // the offsets.
    return parseTOML(`${text.replace(/^\uFEFF/, ' ')}\n`, { tomlVersion: '1.0' });
  } catch (error) {
    if (error instanceof ParseError) {
      const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1);
      throw invalidTarget(text, error.index, file, `is not valid TOML: ${reason}`);
    }
    if (error instanceof RangeError) throw tooDeep({ text, file }, 0);
    throw error;
  }
}

function tooDeep({ text, file }: Reader, offset: number): Error {
  return invalidTarget(text, offset, file, `is nested deeper than ${MAX_DEPTH} levels`);
}

function newTable(): TomlTable {
  return { kind: 'table', members: new Map(), parts: [], brackets: undefined, dotted: undefined };
}

function readTable(reader: Reader, ast: AST.TOMLTable, root: TomlTable): void {
  const [start, end] = ast.range;
  const path = ast.resolvedKey;
  if (path.length > MAX_DEPTH) throw tooDeep(reader, start);
  const header: TomlHeader = { kind: 'header', start, end, pairs: [] };
  const table = openTable(root, path);
  table.parts.push(header);
  for (const pair of ast.body) {
    header.pairs.push(readPair(reader, pair, table, path.length, undefined));
  }
}

/** Opens a table, creating the tables and arrays of tables on its path. */
function openTable(root: TomlTable, path: readonly (string | number)[]): TomlTable {
  let node: TomlNode = root;
  for (const [index, step] of path.entries()) {
    const isArray = typeof path[index + 1] === 'number';
    node = memberOf(node, step) ?? addTo(node, step, isArray);
  }
  return node.kind === 'table' ? node : newTable();
}

function memberOf(node: TomlNode, step: string | number): TomlNode | undefined {
  if (node.kind === 'table') return node.members.get(String(step));
  return node.kind === 'list' ? node.elements[Number(step)] : undefined;
}

function addTo(node: TomlNode, step: string | number, isArray: boolean): TomlNode {
  const made: TomlNode = isArray
    ? { kind: 'list', elements: [], parts: [], brackets: undefined }
    : newTable();
  if (node.kind === 'table') node.members.set(String(step), made);
  else if (node.kind === 'list') node.elements.push(made);
  return made;
}

/** Reads a pair; `depth` is the length of the table's path. */
function readPair(
  reader: Reader,
  ast: AST.TOMLKeyValue,
  table: TomlTable,
  depth: number,
  within: Bracketed | undefined,
): TomlPair {
  const [start, end] = ast.range;
  const keys = ast.key.keys;
  if (depth + keys.length > MAX_DEPTH) throw tooDeep(reader, start);
  const [valueStart, valueEnd] = ast.value.range;
  const pair: TomlPair = {
    kind: 'pair',
    start,
    end,
    names: keys.map(({ range }) => range[1]),
    depth,
    within,
    breaks: 1,
    value: { start: valueStart, end: valueEnd },
    comma: within === undefined ? undefined : commaBehind(reader, end),
  };
  let parent = table;
  for (const [index, key] of keys.slice(0, -1).entries()) {
    const member = parent.members.get(nameOf(key));
    const inner = member?.kind === 'table' ? member : newTable();
    inner.dotted = { pair, names: index + 1 };
    parent.members.set(nameOf(key), inner);
    parent = inner;
  }
  const node = readValue(reader, ast.value, depth + keys.length);
  node.parts.push(pair);
  const last = keys.at(-1);
  if (last !== undefined) parent.members.set(nameOf(last), node);
  return pair;
}

function nameOf(key: AST.TOMLBare | AST.TOMLQuoted): string {
  return key.type === 'TOMLBare' ? key.name : key.value;
}

function readValue(reader: Reader, ast: AST.TOMLContentNode, depth: number): TomlNode {
  const [start, end] = ast.range;
  if (depth > MAX_DEPTH) throw tooDeep(reader, start);
  if (ast.type === 'TOMLValue') return { kind: 'scalar', value: readScalar(ast), parts: [] };
  if (ast.type === 'TOMLInlineTable') {
    const items: TomlPair[] = [];
    const brackets = { start, end, items, one_line: true };
    const table = { ...newTable(), brackets };
    for (const pair of ast.body) items.push(readPair(reader, pair, table, depth, brackets));
    return table;
  }
  const items: TomlElement[] = [];
  const brackets = { start, end, items };
  const elements = ast.elements.map((element) => {
    const node = readValue(reader, element, depth + 1);
    const [from, to] = element.range;
    const item: TomlElement = {
      kind: 'element',
      start: from,
      end: to,
      value: { start: from, end: to },
      within: brackets,
      comma: commaBehind(reader, to),
    };
    items.push(item);
    node.parts.push(item);
    return node;
  });
  return { kind: 'list', elements, parts: [], brackets };
}

/** Reads a scalar. A value without a JSON form becomes a string that equals no managed value. */
function readScalar(ast: AST.TOMLValue): Json {
  if (ast.kind === 'string' || ast.kind === 'boolean') return ast.value;
  if (ast.kind === 'integer') {
    return Number.isSafeInteger(ast.value) ? ast.value : `\0${ast.number}`;
  }
  if (ast.kind === 'float') return Number.isFinite(ast.value) ? ast.value : `\0${ast.number}`;
  return `\0${ast.datetime}`;
}

const COMMA = /(?:[ \t\r\n]|#[^\n]*)*(,?)/y;

function commaBehind({ text }: Reader, end: number): number | undefined {
  COMMA.lastIndex = end;
  const comma = COMMA.exec(text)?.[1] === ',';
  return comma ? COMMA.lastIndex - 1 : undefined;
}

/** Converts a node. Objects have no prototype, so that no key is inherited. */
export function toJson(node: TomlNode): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.elements.map(toJson);
  const object: JsonObject = Object.create(null);
  for (const [name, member] of node.members) object[name] = toJson(member);
  return object;
}

export function getNode(root: TomlTable, path: readonly string[]): TomlNode | undefined {
  let node: TomlNode | undefined = root;
  for (const name of path) node = node?.kind === 'table' ? node.members.get(name) : undefined;
  return node;
}

export function partsOf(node: TomlNode): TomlPart[] {
  return outermost(allParts(node));
}

export function outermost(parts: Iterable<TomlPart>): TomlPart[] {
  const outer: TomlPart[] = [];
  let end = 0;
  for (const part of [...parts].sort((a, b) => a.start - b.start)) {
    if (part.start < end) continue;
    outer.push(part);
    end = part.end;
  }
  return outer;
}

function allParts(node: TomlNode): TomlPart[] {
  const inner =
    node.kind === 'table' ? [...node.members.values()] : node.kind === 'list' ? node.elements : [];
  return [...node.parts, ...inner.flatMap(allParts)];
}
