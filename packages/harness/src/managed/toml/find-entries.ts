import type { ManagedEntry } from '../../adapter.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import type { OwnedEntry } from '../managed-file.ts';
import { matchElements } from '../match-elements.ts';
import { isSamePath, placeOf } from '../places.ts';
import { foreignEntry } from '../refusals.ts';
import type { EntryInFile } from '../wanted-entries.ts';
import { getNode, toJson, type TomlNode, type TomlTable } from './toml-document.ts';

export interface FoundEntry extends EntryInFile {
  shape: 'array' | 'map';
  node: TomlNode;
}

/**
 * Finds entries: members of tables by their key, elements of lists by their value. Rejects a member of the user with a
 * wanted key. If the entry accepts any value, the member stays and the entry is removed from `wanted`.
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
    if (entry.if_absent !== true) throw foreignEntry(file, entry);
    wanted.delete(place);
  }
  return [...members.values(), ...findElements(root, left)];
}

function toFound(
  shape: FoundEntry['shape'],
  { container, key }: Pick<EntryInFile, 'container' | 'key'>,
  node: TomlNode,
): FoundEntry {
  return { shape, container, key, node, hash: jsonHash(toJson(node)) };
}

function findElements(root: TomlTable, left: readonly OwnedEntry[]): FoundEntry[] {
  const all = left.filter(({ shape }) => shape === 'array');
  const lists = new Map(all.map(({ container }) => [JSON.stringify(container), container]));
  return [...lists.values()].flatMap((container) => {
    const list = getNode(root, container);
    if (list?.kind !== 'list') return [];
    const here = all.filter((entry) => isSamePath(entry.container, container));
    const found = list.elements.map((node) => toFound('array', { container, key: '' }, node));
    const hashes = found.map(({ hash }) => hash);
    const ids = matchElements(hashes, here);
    return found.flatMap((entry, index) => {
      const key = ids.get(index);
      return key === undefined ? [] : [{ ...entry, key }];
    });
  });
}
