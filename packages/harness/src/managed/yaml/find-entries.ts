import type { ManagedEntry } from '../../adapter.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import type { OwnedEntry } from '../managed-file.ts';
import { matchElements } from '../match-elements.ts';
import { isSamePath, uniquePaths } from '../places.ts';
import { invalidTarget } from '../refusals.ts';
import {
  getContainer,
  getMember,
  isContainer,
  toJson,
  type YamlContainer,
  type YamlDocument,
  type YamlItem,
  type YamlNode,
} from './yaml-document.ts';

export interface FoundEntry {
  shape: ManagedEntry['shape'];
  container: readonly string[];
  /** Name of the member; in a list, the artifact id. */
  key: string;
  parent: YamlContainer;
  item: YamlItem;
  /** Hash; empty for a value that catalog never writes. */
  hash: string;
}

/**
 * Finds entries: members by their place, elements by their value. Rejects a repeated name in a mapping on the path of
 * an entry, because harnesses may read either member.
 */
export function findEntries(
  document: YamlDocument,
  root: YamlContainer,
  owned: readonly OwnedEntry[],
  desired: readonly ManagedEntry[],
  file: string,
): FoundEntry[] {
  const found: FoundEntry[] = [];
  for (const path of uniquePaths([...owned, ...desired].map(({ container }) => container))) {
    refuseRepeatedNames(document, root, path, file);
    const parent = getContainer(root, path);
    if (parent === undefined) continue;
    const here = owned.filter(({ container }) => isSamePath(container, path));
    found.push(...(parent.kind === 'object' ? findMembers : findElements)(parent, path, here));
  }
  return found;
}

function findMembers(
  parent: YamlContainer,
  container: readonly string[],
  owned: readonly OwnedEntry[],
): FoundEntry[] {
  const names = new Set(owned.filter(({ shape }) => shape === 'map').map(({ key }) => key));
  return [...names].flatMap((key) => {
    const item = getMember(parent, key);
    if (item === undefined) return [];
    return [{ shape: 'map', container, key, parent, item, hash: hashOf(item.value) }];
  });
}

function findElements(
  parent: YamlContainer,
  container: readonly string[],
  owned: readonly OwnedEntry[],
): FoundEntry[] {
  const hashes = parent.items.map(({ value }) => hashOf(value));
  const elements = owned.filter(({ shape }) => shape === 'array');
  const ids = matchElements(hashes, elements);
  return parent.items.flatMap((item, index) => {
    const key = ids.get(index);
    const hash = hashes[index] ?? '';
    return key === undefined ? [] : [{ shape: 'array', container, key, parent, item, hash }];
  });
}

function hashOf(node: YamlNode): string {
  const value = toJson(node);
  return value === undefined ? '' : jsonHash(value);
}

function refuseRepeatedNames(
  { text }: YamlDocument,
  root: YamlContainer,
  path: readonly string[],
  file: string,
): void {
  let node: YamlNode | undefined = root;
  for (const name of [...path, undefined]) {
    if (node === undefined || !isContainer(node) || node.kind === 'array') return;
    const names = new Set<string>();
    for (const { key, start } of node.items) {
      if (key !== undefined && names.has(key)) {
        throw invalidTarget(text, start, file, `holds the name ${JSON.stringify(key)} twice`);
      }
      if (key !== undefined) names.add(key);
    }
    node = name === undefined ? undefined : getMember(node, name)?.value;
  }
}
