import type { ManagedEntry } from '../../adapter.ts';
import { jsonHash } from '../json/canonical-json.ts';
import type { OwnedEntry } from '../managed-file.ts';
import { matchElements } from '../match-elements.ts';
import { isSamePath, placeOf } from '../places.ts';
import { foreignEntry } from '../refusals.ts';
import type { Standing } from '../wanted-entries.ts';
import { getNode, toJson, type TomlNode, type TomlTable } from './toml-document.ts';

/** One entry of ours as it stands in the file. */
export interface FoundEntry extends Standing {
  shape: 'array' | 'map';
  node: TomlNode;
}

/**
 * Finds every entry of ours: members by their place, elements of lists by what they hold. What the
 * lock names (`left`) is ours; what is wanted and already there is taken over. Another value of the
 * person's where one is wanted is refused; where any value does, it is left to them, and the entry
 * goes from `wanted`.
 */
export function findEntries(
  root: TomlTable,
  wanted: Map<string, ManagedEntry>,
  left: readonly OwnedEntry[],
  file: string,
): FoundEntry[] {
  const members = new Map<string, FoundEntry>();
  for (const entry of left) {
    const node = entry.shape === 'map' ? getNode(root, [...entry.container, entry.key]) : undefined;
    if (node !== undefined) members.set(placeOf(entry), toFound('map', entry, node));
  }
  for (const [place, entry] of wanted) {
    const node = entry.shape === 'map' ? getNode(root, [...entry.container, entry.key]) : undefined;
    if (node === undefined || members.has(place)) continue;
    const found = toFound('map', entry, node);
    if (entry.if_absent === true) wanted.delete(place);
    else if (found.hash === jsonHash(entry.value)) members.set(place, found);
    else throw foreignEntry(file, entry);
  }
  return [...members.values(), ...findElements(root, [...wanted.values()], left)];
}

function toFound(
  shape: FoundEntry['shape'],
  { container, key }: Pick<Standing, 'container' | 'key'>,
  node: TomlNode,
): FoundEntry {
  return { shape, container, key, node, hash: jsonHash(toJson(node)) };
}

function findElements(
  root: TomlTable,
  wanted: readonly ManagedEntry[],
  left: readonly OwnedEntry[],
): FoundEntry[] {
  const claims = wanted.map(({ value, ...entry }) => ({ ...entry, hash: jsonHash(value) }));
  const all = [...left, ...claims].filter(({ shape }) => shape === 'array');
  const lists = new Map(all.map(({ container }) => [JSON.stringify(container), container]));
  return [...lists.values()].flatMap((container) => {
    const list = getNode(root, container);
    if (list?.kind !== 'list') return [];
    const isHere = (entry: { shape: string; container: readonly string[] }): boolean =>
      entry.shape === 'array' && isSamePath(entry.container, container);
    const found = list.elements.map((node) => toFound('array', { container, key: '' }, node));
    const hashes = found.map(({ hash }) => hash);
    const ids = matchElements(hashes, left.filter(isHere), claims.filter(isHere));
    return found.flatMap((entry, index) => {
      const key = ids.get(index);
      return key === undefined ? [] : [{ ...entry, key }];
    });
  });
}
