import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Json, JsonObject } from '@catalog/core/json';
import type { ManagedEntry } from '../../adapter.ts';
import { editContainer } from '../edit-container.ts';
import { emptyObject, grow } from '../json/change-set.ts';
import { beforeLineBreak } from '../lines.ts';
import { foreignEntry, invalidTarget } from '../refusals.ts';
import { applySplices, type Splice } from '../splices.ts';
import { mergeOf } from './merge-keys.ts';
import type { CreatedContainers } from './reconcile-entries.ts';
import { writeElement, writeFlow, writeFlowMember, writeMember } from './write-yaml.ts';
import {
  columnOf,
  getMember,
  isNull,
  itemEnd,
  lineStart,
  type YamlContainer,
  type YamlDocument,
  type YamlItem,
} from './yaml-document.ts';
import type { YamlStyle } from './yaml-style.ts';

/** Entries to add to one container, or in place of a null. */
interface Addition {
  kind: YamlContainer['kind'];
  path: readonly string[];
  place: { container: YamlContainer } | { item: YamlItem; flow: boolean };
  members: JsonObject;
  elements: Json[];
}

interface Adding extends CreatedContainers {
  document: YamlDocument;
  root: YamlContainer;
  file: string;
  additions: Map<YamlContainer | YamlItem, Addition>;
}

/** Adds entries to the deepest existing container on their path and creates the rest. */
export function addEntries(
  document: YamlDocument,
  root: YamlContainer,
  style: YamlStyle,
  entries: readonly ManagedEntry[],
  file: string,
  made: CreatedContainers,
): CreatedContainers & { text: string } {
  const adding: Adding = { document, root, file, additions: new Map(), ...made };
  for (const entry of entries) addEntry(adding, entry);
  // An inner container comes first if an outer one ends at the same line.
  const inner = [...adding.additions.values()].sort((a, b) => b.path.length - a.path.length);
  const splices = inner.map((addition) => insert(adding, addition, style));
  const { created, opened } = adding;
  return { text: applySplices(document, splices.flat(), style.eol), created, opened };
}

function addEntry(adding: Adding, entry: ManagedEntry): void {
  const { root, file, created } = adding;
  const { addition, depth } = findPlace(adding, root, entry);
  if (addition.kind === 'array') {
    addition.elements.push(entry.value);
    return;
  }
  if ('container' in addition.place && depth === entry.container.length) {
    if (getMember(addition.place.container, entry.key) !== undefined)
      throw foreignEntry(file, entry);
  }
  grow(addition.members, depth, entry, created);
}

function findPlace(
  adding: Adding,
  root: YamlContainer,
  entry: ManagedEntry,
): { addition: Addition; depth: number } {
  let node = root;
  let depth = 0;
  for (const name of [...entry.container, entry.key]) {
    const member = node.kind === 'object' ? getMember(node, name) : undefined;
    if (node.kind === 'object' && member === undefined) refuseMerged(adding, node, entry, name);
    if (member === undefined || depth === entry.container.length) break;
    depth += 1;
    const isLast = depth === entry.container.length;
    const kind = isLast && entry.shape === 'array' ? 'array' : 'object';
    refuseShared(adding, entry, depth, member);
    const path = entry.container.slice(0, depth);
    if (isNull(member.value)) {
      const place = { item: member, flow: node.flow };
      return { addition: additionOf(adding, member, { kind, path, place }), depth };
    }
    if (member.value.kind !== kind) throw wrongKind(adding, entry, depth, member, kind);
    node = member.value;
  }
  const path = entry.container.slice(0, depth);
  const place = { container: node };
  return { addition: additionOf(adding, node, { kind: node.kind, path, place }), depth };
}

function additionOf(
  { additions }: Adding,
  at: YamlContainer | YamlItem,
  { kind, path, place }: Pick<Addition, 'kind' | 'path' | 'place'>,
): Addition {
  let addition = additions.get(at);
  if (addition === undefined) {
    addition = { kind, path, place, members: emptyObject(), elements: [] };
    additions.set(at, addition);
  }
  return addition;
}

/** Rejects a container with an alias, because the other place would change too. */
function refuseShared(
  { document, file }: Adding,
  entry: ManagedEntry,
  depth: number,
  { value }: YamlItem,
): void {
  if (value.kind !== 'alias' && value.anchor === undefined) return;
  const name = entry.container.slice(0, depth).join('.');
  const how = value.kind === 'alias' ? 'as an alias' : 'under an anchor';
  throw invalidTarget(
    document.text,
    value.start,
    file,
    `holds ${name} ${how}, so that what ${entry.artifact_id} needs there would appear in two places; write ${name} out`,
  );
}

function refuseMerged(
  { document, file }: Adding,
  map: YamlContainer,
  entry: ManagedEntry,
  name: string,
): void {
  const key = mergeOf(document, map, name);
  if (key === undefined) return;
  throw invalidTarget(
    document.text,
    key.start,
    file,
    `takes ${name} in by a merge key, where ${entry.artifact_id} would hide it; write ${name} out`,
  );
}

function wrongKind(
  { document, file }: Adding,
  entry: ManagedEntry,
  depth: number,
  member: YamlItem,
  kind: YamlContainer['kind'],
): CatalogError {
  const name = entry.container.slice(0, depth).join('.');
  const needed = kind === 'array' ? 'a list' : 'a mapping';
  return invalidTarget(
    document.text,
    member.value.start,
    file,
    `holds something other than ${needed} under ${name}, where ${entry.artifact_id} needs one`,
  );
}

function insert(adding: Adding, addition: Addition, style: YamlStyle): Splice[] {
  const { document } = adding;
  const { place } = addition;
  if ('container' in place) {
    return place.container.flow
      ? insertFlow(document, place.container, addition, style)
      : [insertLines(spotIn(document, place.container), addition, style)];
  }
  const { item, flow } = place;
  const written = document.text.slice(item.key_end, item.value.end);
  const opening = { start: item.key_end, end: item.value.end };
  if (flow || written !== ':') adding.opened.push([...addition.path, written]);
  if (flow) {
    const value = addition.kind === 'array' ? addition.elements : addition.members;
    return [{ ...opening, text: `: ${writeFlow(value)}` }];
  }
  const step = addition.kind === 'array' ? style.list_step : style.map_step;
  const column = columnOf(document.text, item.start) + step;
  const spot = { column, offset: itemEnd(document, item), before: false };
  const lines = insertLines(spot, addition, style);
  return written === ':' ? [lines] : [{ ...opening, text: ':' }, lines];
}

function insertFlow(
  document: YamlDocument,
  container: YamlContainer,
  { members, elements }: Addition,
  { eol, map_step }: YamlStyle,
): Splice[] {
  const layout = { eol, unit: ' '.repeat(map_step), spaced: true, one_line: true };
  return editContainer(document, layout, container, {
    removed: new Set(),
    replaced: new Map(),
    added: [
      ...Object.keys(members).map((key) => () => writeFlowMember(key, members[key] ?? null)),
      ...elements.map((element) => () => writeFlow(element)),
    ],
    opened: false,
  }).splices;
}

interface Spot {
  column: number;
  offset: number;
  before: boolean;
}

/** Returns where to add entries; at the top level, after the final comments. */
function spotIn(document: YamlDocument, container: YamlContainer): Spot {
  const { text, content_end, open_end, root } = document;
  const first = container.items[0];
  const last = container.items.at(-1);
  if (first === undefined || last === undefined) {
    return { column: 0, offset: content_end, before: content_end === 0 };
  }
  const column = columnOf(text, first.start);
  if (container.end === open_end) {
    const start = lineStart(text, first.start);
    return { column, offset: beforeLineBreak(text, start), before: start === 0 };
  }
  const offset = container === root ? content_end : itemEnd(document, last);
  return { column, offset, before: false };
}

function insertLines(
  { column, offset, before }: Spot,
  { members, elements }: Addition,
  style: YamlStyle,
): Splice {
  const indent = ' '.repeat(column);
  const items = [
    ...Object.keys(members).map((key) => writeMember(key, members[key] ?? null, column, style)),
    ...elements.map((element) => writeElement(element, column, style)),
  ];
  const text = items.map((item) =>
    before ? indent + item + style.eol : style.eol + indent + item,
  );
  return { start: offset, end: offset, text: text.join('') };
}
