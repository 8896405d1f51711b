import { matchElements } from '../match-elements.ts';
import type { OwnedEntry } from '../managed-file.ts';
import { isSamePath } from '../places.ts';
import { invalidTarget } from '../refusals.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import {
  getMember,
  toJson,
  type JsonContainer,
  type JsonDocument,
  type JsonItem,
} from './json-document.ts';

/** Top-level object that lists the managed members of the file with their artifacts. */
export const INDEX_KEY = 'x-catalog';
export const TAG_KEY = 'x-catalog-id';

export interface FoundEntry {
  container: readonly string[];
  /** Name of the member; in an array, the id of its mark. */
  key: string;
  parent: JsonContainer;
  item: JsonItem;
}

/**
 * Finds managed entries: members by their place, elements by their mark or value, and index entries of the artifacts in
 * `indexed`. A mark alone proves nothing, because a user may have copied it. Rejects an object with a repeated name,
 * because harnesses may read either member.
 */
export function findEntries(
  document: JsonDocument,
  root: JsonContainer,
  ours: readonly OwnedEntry[],
  indexed: ReadonlySet<string>,
  file: string,
): FoundEntry[] {
  const members = new Map<JsonItem, FoundEntry>();
  for (const entry of ours) {
    const found = entry.shape === 'map' ? findMember(root, entry) : undefined;
    if (found !== undefined) members.set(found.item, found);
  }
  const elements: FoundEntry[] = [];
  const owned = ours.filter(({ shape }) => shape === 'array');
  scanArrays(document, root, [], { members, owned, elements, file });
  return [...findIndexRows(root, indexed), ...members.values(), ...elements];
}

function findIndexRows(root: JsonContainer, indexed: ReadonlySet<string>): FoundEntry[] {
  const index = getMember(root, INDEX_KEY)?.value;
  if (index?.kind !== 'object') return [];
  return index.items
    .filter(({ key }) => key !== undefined && indexed.has(key))
    .map((item) => ({ container: [INDEX_KEY], key: item.key ?? '', parent: index, item }));
}

function findMember(root: JsonContainer, { container, key }: OwnedEntry): FoundEntry | undefined {
  const parent = getContainer(root, container);
  const item = parent?.kind === 'object' ? getMember(parent, key) : undefined;
  return parent === undefined || item === undefined ? undefined : { container, key, parent, item };
}

export function getContainer(
  root: JsonContainer,
  path: readonly string[],
): JsonContainer | undefined {
  let node = root;
  for (const name of path) {
    const value = node.kind === 'object' ? getMember(node, name)?.value : undefined;
    if (value === undefined || value.kind === 'scalar') return undefined;
    node = value;
  }
  return node;
}

interface Scan {
  members: ReadonlyMap<JsonItem, FoundEntry>;
  owned: readonly OwnedEntry[];
  elements: FoundEntry[];
  file: string;
}

function scanArrays(
  document: JsonDocument,
  node: JsonContainer,
  path: readonly string[],
  scan: Scan,
): void {
  if (node.kind === 'array') {
    const ids = ownedElements(node, path, scan.owned);
    for (const [index, item] of node.items.entries()) {
      const id = ids.get(index);
      if (id !== undefined) scan.elements.push({ container: path, key: id, parent: node, item });
    }
    return;
  }
  refuseRepeatedNames(document, node, scan.file);
  for (const item of node.items) {
    if (item.value.kind === 'scalar' || scan.members.has(item)) continue;
    scanArrays(document, item.value, [...path, item.key ?? ''], scan);
  }
}

/** Returns managed elements by index: first by value, then by mark. */
function ownedElements(
  list: JsonContainer,
  path: readonly string[],
  owned: readonly OwnedEntry[],
): Map<number, string> {
  const here = owned.filter(({ container }) => isSamePath(container, path));
  if (here.length === 0) return new Map();
  const hashes = list.items.map((item) => jsonHash(toJson(item.value)));
  const ids = matchElements(hashes, here);
  const found = new Set(ids.values());
  for (const [index, item] of list.items.entries()) {
    const tag = tagOf(item);
    // Other elements with the same mark are copies of the user.
    if (tag === undefined || found.has(tag) || !here.some(({ key }) => key === tag)) continue;
    ids.set(index, tag);
    found.add(tag);
  }
  return ids;
}

export function tagOf({ value }: JsonItem): string | undefined {
  if (value.kind !== 'object') return undefined;
  const tag = getMember(value, TAG_KEY)?.value;
  return tag?.kind === 'scalar' && typeof tag.value === 'string' ? tag.value : undefined;
}

function refuseRepeatedNames({ text }: JsonDocument, object: JsonContainer, file: string): void {
  const names = new Set<string>();
  for (const { key = '', start } of object.items) {
    if (names.has(key)) {
      throw invalidTarget(text, start, file, `holds the name ${JSON.stringify(key)} twice`);
    }
    names.add(key);
  }
}
