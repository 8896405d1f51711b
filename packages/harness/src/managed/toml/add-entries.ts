import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { ManagedEntry } from '../../adapter.ts';
import { editContainer, type Bracketed, type WriteText } from '../edit-container.ts';
import { emptyObject, grow } from '../json/change-set.ts';
import { lineEnd, lineIndent } from '../lines.ts';
import { isSamePath } from '../places.ts';
import { wrongKind } from '../refusals.ts';
import type { Splice } from '../splices.ts';
import { insertBlocks } from '../text-blocks.ts';
import {
  getNode,
  partsOf,
  type TomlDocument,
  type TomlList,
  type TomlNode,
  type TomlTable,
} from './toml-document.ts';
import { bracketLayout, writeInline, writePair, writeTable } from './write-toml.ts';

export interface Addition {
  splices: Splice[];
  created: string[][];
  begins: boolean;
}

interface Plan {
  document: TomlDocument;
  file: string;
  created: string[][];
  /** Members of inline tables and of tables with dotted keys, which cannot have headers. */
  members: Map<TomlTable, JsonObject>;
  elements: Map<Bracketed, Json[]>;
  pairs: Map<string, { path: readonly string[]; table: JsonObject }>;
  blocks: ((eol: string) => string)[];
}

/**
 * Adds entries: inline in an inline form, dotted keys after dotted keys, and otherwise tables at the end of the file,
 * where they cannot capture lines of the user.
 */
export function addEntries(
  document: TomlDocument,
  entries: readonly ManagedEntry[],
  file: string,
  eol: string,
): Addition {
  const plan: Plan = {
    document,
    file,
    created: [],
    members: new Map(),
    elements: new Map(),
    pairs: new Map(),
    blocks: [],
  };
  for (const entry of entries) planEntry(plan, entry, entries);
  const lines = pairLines(plan, eol);
  const blocks = [...lines.blocks, ...plan.blocks.map((write) => write(eol))];
  const splices = [...itemSplices(plan, eol), ...lines.splices];
  // Blocks come after lines with the same offset.
  if (blocks.length > 0) splices.push(insertBlocks(document.text, document.end, blocks, eol));
  const begins = blocks.length > 0 && document.end === undefined;
  return { splices, created: plan.created, begins };
}

function planEntry(plan: Plan, entry: ManagedEntry, entries: readonly ManagedEntry[]): void {
  const { container, key, shape, value } = entry;
  const { node, depth } = descend(plan, entry);
  if (node.kind === 'list') {
    if (node.brackets !== undefined) {
      push(plan.elements, node.brackets, value);
    } else if (isJsonObject(value)) {
      plan.blocks.push((eol) => writeTable(container, value, 'element', eol));
    } else {
      throw otherKind(plan, entry, node, depth, 'a list of values');
    }
  } else if (node.brackets !== undefined || node.dotted !== undefined) {
    const object = plan.members.get(node) ?? emptyObject();
    plan.members.set(node, object);
    grow(object, depth, entry, plan.created);
  } else if (shape === 'map' && isJsonObject(value)) {
    plan.blocks.push((eol) => writeTable([...container, key], value, 'table', eol));
  } else if (shape === 'array' && isJsonObject(value) && isListOfTables(container, entries)) {
    plan.blocks.push((eol) => writeTable(container, value, 'element', eol));
  } else {
    planPair(plan, entry);
  }
}

function push<Key>(lists: Map<Key, Json[]>, key: Key, value: Json): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function descend(plan: Plan, entry: ManagedEntry): { node: TomlTable | TomlList; depth: number } {
  let node: TomlTable = plan.document.root;
  for (const [index, name] of entry.container.entries()) {
    const member = node.members.get(name);
    if (member === undefined) return { node, depth: index };
    const last = index === entry.container.length - 1;
    const kind = last && entry.shape === 'array' ? 'list' : 'table';
    if (member.kind !== kind) {
      throw otherKind(plan, entry, member, index + 1, kind === 'list' ? 'a list' : 'a table');
    }
    if (member.kind === 'list') return { node: member, depth: index + 1 };
    if (member.kind === 'table') node = member;
  }
  return { node, depth: entry.container.length };
}

function otherKind(
  { document: { text }, file }: Plan,
  entry: ManagedEntry,
  node: TomlNode,
  depth: number,
  needed: string,
): Error {
  return wrongKind(text, partsOf(node)[0]?.start ?? 0, file, entry, depth, needed);
}

/** Returns true for an array of tables, which contains only tables. */
function isListOfTables(container: readonly string[], entries: readonly ManagedEntry[]): boolean {
  return entries.every(
    (entry) =>
      entry.shape !== 'array' ||
      !isSamePath(entry.container, container) ||
      isJsonObject(entry.value),
  );
}

/** Plans an entry in the table at the container, or in a list one level above. */
function planPair(plan: Plan, entry: ManagedEntry): void {
  const depth = entry.shape === 'map' ? entry.container.length : entry.container.length - 1;
  const path = entry.container.slice(0, depth);
  const name = JSON.stringify(path);
  const pairs = plan.pairs.get(name) ?? { path, table: emptyObject() };
  plan.pairs.set(name, pairs);
  grow(pairs.table, depth, entry, plan.created);
}

function itemSplices({ document, members, elements }: Plan, eol: string): Splice[] {
  const added = new Map<Bracketed, WriteText[]>();
  const splices: Splice[] = [];
  for (const [brackets, values] of elements) {
    addTo(added, brackets, values.map(writeInline));
  }
  for (const [{ brackets, dotted }, object] of members) {
    const pairs = Object.keys(object).map((key) => writePair(key, object[key] ?? null));
    if (brackets !== undefined) {
      addTo(added, brackets, pairs);
    } else if (dotted !== undefined) {
      const { pair, names } = dotted;
      const prefix = document.text.slice(pair.start, pair.names[names - 1]);
      const lines = pairs.map((line) => `${prefix}.${line}`);
      if (pair.within === undefined) splices.push(linesBehind(document, pair, lines, eol));
      else addTo(added, pair.within, lines);
    }
  }
  for (const [brackets, items] of added) {
    const change = { removed: new Set<never>(), replaced: new Map(), added: items, opened: false };
    splices.push(...editContainer(document, bracketLayout(eol), brackets, change).splices);
  }
  return splices;
}

function addTo(
  added: Map<Bracketed, WriteText[]>,
  brackets: Bracketed,
  items: readonly string[],
): void {
  const writers = items.map((item) => () => item);
  added.set(brackets, [...(added.get(brackets) ?? []), ...writers]);
}

function linesBehind(
  { text }: TomlDocument,
  { start, end }: { start: number; end: number },
  lines: readonly string[],
  eol: string,
): Splice {
  const offset = lineEnd(text, end);
  const lead = eol + lineIndent(text, start);
  return { start: offset, end: offset, text: lines.map((line) => lead + line).join('') };
}

function pairLines(plan: Plan, eol: string): { splices: Splice[]; blocks: string[] } {
  const splices: Splice[] = [];
  const blocks: string[] = [];
  for (const { path, table } of plan.pairs.values()) {
    const lines = Object.keys(table).map((key) => writePair(key, table[key] ?? null));
    const line = lineToFollow(plan.document, path);
    if (line !== undefined) {
      splices.push(linesBehind(plan.document, line, lines, eol));
    } else if (path.length === 0) {
      splices.push(linesAtTop(plan.document, lines, eol));
    } else {
      plan.created.push([...path]);
      blocks.push(writeTable(path, table, 'table', eol));
    }
  }
  return { splices, blocks };
}

function lineToFollow(
  { root, pairs }: TomlDocument,
  path: readonly string[],
): { start: number; end: number } | undefined {
  if (path.length === 0) return pairs.at(-1);
  const header = getNode(root, path)?.parts.find((part) => part.kind === 'header');
  return header?.pairs.at(-1) ?? header;
}

function linesAtTop({ text }: TomlDocument, lines: readonly string[], eol: string): Splice {
  const offset = text.startsWith('\uFEFF') ? 1 : 0;
  return { start: offset, end: offset, text: lines.map((line) => line + eol).join('') };
}
