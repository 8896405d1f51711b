import { matchElements } from '../match-elements.ts';
import type { OwnedEntry } from '../managed-file.ts';
import { isSamePath } from '../places.ts';
import { invalidTarget } from '../refusals.ts';
import { jsonHash } from './canonical-json.ts';
import {
  getMember,
  toJson,
  type JsonContainer,
  type JsonDocument,
  type JsonItem,
} from './json-document.ts';

/** The top-level object that names the owner of each member catalog added to the file's maps. */
export const INDEX_KEY = 'x-catalog';
/** The member that names the owner of an array element. */
export const TAG_KEY = 'x-catalog-id';

/** One entry of ours as it stands in the file. */
export interface FoundEntry {
  container: readonly string[];
  /** The member's name; in an array the id it is tagged with. */
  key: string;
  parent: JsonContainer;
  item: JsonItem;
}

/** A member of a map that catalog owns by its lock, or wants to own. */
export interface MapClaim {
  container: readonly string[];
  key: string;
  owned: boolean;
  /** One that nothing in the file could tell to be ours is taken over where it is equal to this. */
  equal_to?: string;
}

/** Elements of lists that catalog owns by its lock, or wants to own, known by what they hold. */
export interface ElementClaims {
  owned: readonly OwnedEntry[];
  wanted: readonly OwnedEntry[];
}

/**
 * Finds every entry of ours: array elements by their tag or by what they hold, members of
 * the maps catalog writes to by the lock's claims or by the file's own index, so that a lost lock
 * orphans nothing. An object that repeats a name is refused: which of the two a harness reads is its
 * secret.
 */
export function findEntries(
  document: JsonDocument,
  root: JsonContainer,
  maps: readonly MapClaim[],
  claims: ElementClaims,
  file: string,
): FoundEntry[] {
  const rows = findIndexRows(root, new Set(maps.map(({ container }) => nameOf(container))));
  const members = new Map<JsonItem, FoundEntry>();
  for (const claim of [...maps, ...rows.map(toClaim)]) {
    const found = findMember(root, claim);
    if (found !== undefined && isOurs(claim, found)) members.set(found.item, found);
  }
  const elements: FoundEntry[] = [];
  scanArrays(document, root, [], { members, claims, elements, file });
  return [...rows, ...members.values(), ...elements];
}

function isOurs({ owned, equal_to }: MapClaim, { item }: FoundEntry): boolean {
  return owned || (equal_to !== undefined && equal_to === jsonHash(toJson(item.value)));
}

/** The rows of the index that speak of a map catalog writes to; no other claim is believed. */
function findIndexRows(root: JsonContainer, maps: ReadonlySet<string>): FoundEntry[] {
  const index = getMember(root, INDEX_KEY)?.value;
  if (index?.kind !== 'object') return [];
  return index.items
    .filter((item) => maps.has(nameOf(claimPath(item).slice(0, -1))))
    .map((item) => ({ container: [INDEX_KEY], key: item.key ?? '', parent: index, item }));
}

function nameOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

function toClaim({ item }: FoundEntry): MapClaim {
  const path = claimPath(item);
  return { container: path.slice(0, -1), key: path.at(-1) ?? '', owned: true };
}

/** The path a row of the index names; empty where it names none. */
function claimPath({ value }: JsonItem): string[] {
  if (value.kind !== 'array') return [];
  const names = value.items.map((element) =>
    element.value.kind === 'scalar' ? element.value.value : undefined,
  );
  return names.every((name) => typeof name === 'string') ? names : [];
}

function findMember(root: JsonContainer, { container, key }: MapClaim): FoundEntry | undefined {
  const parent = getContainer(root, container);
  const item = parent?.kind === 'object' ? getMember(parent, key) : undefined;
  return parent === undefined || item === undefined ? undefined : { container, key, parent, item };
}

/** The object or array at a path of member names. */
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
  claims: ElementClaims;
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
    const claimed = claimedIn(node, path, scan.claims);
    for (const [index, item] of node.items.entries()) {
      const id = tagOf(item) ?? claimed.get(index);
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

/** The ids of the elements without a tag, by their places in the list. */
function claimedIn(
  list: JsonContainer,
  path: readonly string[],
  { owned, wanted }: ElementClaims,
): Map<number, string> {
  const here = ({ container }: OwnedEntry): boolean => isSamePath(container, path);
  const mine = owned.filter(here);
  const want = wanted.filter(here);
  if (mine.length + want.length === 0) return new Map();
  const hashes = list.items.map((item) =>
    tagOf(item) === undefined ? jsonHash(toJson(item.value)) : '',
  );
  return matchElements(hashes, mine, want);
}

function tagOf({ value }: JsonItem): string | undefined {
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
