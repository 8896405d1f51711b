import {
  getMember,
  invalidTarget,
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
}

/**
 * Finds every entry of ours: array elements by their tag, members of the maps catalog writes to by
 * the lock's claims or by the file's own index, so that a lost lock orphans nothing. An object that
 * repeats a name is refused: which of the two a harness reads is its secret.
 */
export function findEntries(
  document: JsonDocument,
  root: JsonContainer,
  maps: readonly MapClaim[],
  file: string,
): FoundEntry[] {
  const rows = findIndexRows(root, new Set(maps.map(({ container }) => nameOf(container))));
  const members = new Map<JsonItem, FoundEntry>();
  for (const claim of [...maps.filter(({ owned }) => owned), ...rows.map(toClaim)]) {
    const found = findMember(root, claim);
    if (found !== undefined) members.set(found.item, found);
  }
  const elements: FoundEntry[] = [];
  scanArrays(document, root, [], members, elements, file);
  return [...rows, ...members.values(), ...elements];
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

function scanArrays(
  document: JsonDocument,
  node: JsonContainer,
  path: readonly string[],
  members: ReadonlyMap<JsonItem, FoundEntry>,
  elements: FoundEntry[],
  file: string,
): void {
  if (node.kind === 'array') {
    for (const item of node.items) {
      const id = tagOf(item);
      if (id !== undefined) elements.push({ container: path, key: id, parent: node, item });
    }
    return;
  }
  refuseRepeatedNames(document, node, file);
  for (const item of node.items) {
    if (item.value.kind === 'scalar' || members.has(item)) continue;
    scanArrays(document, item.value, [...path, item.key ?? ''], members, elements, file);
  }
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
