import type { ManagedEntry } from '../../adapter.ts';
import { jsonHash } from '../json/canonical-json.ts';
import type { OwnedEntry } from '../managed-file.ts';
import { matchElements } from '../match-elements.ts';
import { isSamePath, uniquePaths } from '../places.ts';
import { invalidTarget } from '../refusals.ts';
import { toOwned } from '../wanted-entries.ts';
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

/** One entry of ours as it stands in the file. */
export interface FoundEntry {
  shape: ManagedEntry['shape'];
  container: readonly string[];
  /** The member's name; in a list the id it was written for. */
  key: string;
  parent: YamlContainer;
  item: YamlItem;
  /** Of the value that is there; empty where it is nothing catalog would write. */
  hash: string;
}

/**
 * Finds every entry of ours: members by the place the lock names, or that hold just what is wanted
 * there; elements of lists by what they hold. A mapping on the way that repeats a name is refused:
 * which of the two a harness reads is its secret.
 */
export function findEntries(
  document: YamlDocument,
  root: YamlContainer,
  owned: readonly OwnedEntry[],
  desired: readonly ManagedEntry[],
  file: string,
): FoundEntry[] {
  const wanted = desired.map(toOwned);
  const found: FoundEntry[] = [];
  for (const path of uniquePaths([...owned, ...wanted].map(({ container }) => container))) {
    refuseRepeatedNames(document, root, path, file);
    const parent = getContainer(root, path);
    if (parent === undefined) continue;
    const isHere = ({ container }: OwnedEntry): boolean => isSamePath(container, path);
    const claims = { owned: owned.filter(isHere), wanted: wanted.filter(isHere) };
    found.push(...(parent.kind === 'object' ? findMembers : findElements)(parent, path, claims));
  }
  return found;
}

interface Claims {
  owned: OwnedEntry[];
  wanted: OwnedEntry[];
}

function findMembers(
  parent: YamlContainer,
  container: readonly string[],
  { owned, wanted }: Claims,
): FoundEntry[] {
  const names = new Map<string, string | undefined>();
  for (const { shape, key, hash } of wanted) if (shape === 'map') names.set(key, hash);
  for (const { shape, key } of owned) if (shape === 'map') names.set(key, undefined);
  const found: FoundEntry[] = [];
  for (const [key, equal] of names) {
    const item = getMember(parent, key);
    if (item === undefined) continue;
    const hash = hashOf(item.value);
    if (equal !== undefined && equal !== hash) continue;
    found.push({ shape: 'map', container, key, parent, item, hash });
  }
  return found;
}

function findElements(
  parent: YamlContainer,
  container: readonly string[],
  { owned, wanted }: Claims,
): FoundEntry[] {
  const hashes = parent.items.map(({ value }) => hashOf(value));
  const isElement = ({ shape }: OwnedEntry): boolean => shape === 'array';
  const ids = matchElements(hashes, owned.filter(isElement), wanted.filter(isElement));
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
