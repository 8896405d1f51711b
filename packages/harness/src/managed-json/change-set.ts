import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { JsonEntry } from '../adapter.ts';
import { canonicalJson } from './canonical-json.ts';
import { editContainer, isEmptied, type NewItem } from './edit-container.ts';
import { getContainer, type FoundEntry } from './find-entries.ts';
import {
  getMember,
  invalidTarget,
  toJson,
  type JsonContainer,
  type JsonDocument,
  type JsonItem,
} from './json-document.ts';
import type { JsonStyle } from './json-style.ts';
import type { Splice } from './splices.ts';

/** Everything one run shall do to one file, gathered before the first byte changes. */
export interface ChangeSet {
  document: JsonDocument;
  root: JsonContainer;
  file: string;
  containers: Map<JsonContainer, PendingChange>;
  created: string[][];
  opened: string[][];
}

interface PendingChange {
  path: readonly string[];
  removed: Set<JsonItem>;
  replaced: Map<JsonItem, Json>;
  members: JsonObject;
  elements: Json[];
}

function changeOf(
  set: ChangeSet,
  container: JsonContainer,
  path: readonly string[],
): PendingChange {
  let change = set.containers.get(container);
  if (change === undefined) {
    change = {
      path,
      removed: new Set(),
      replaced: new Map(),
      members: emptyObject(),
      elements: [],
    };
    set.containers.set(container, change);
  }
  return change;
}

/** An object in which every key is only a key. */
export function emptyObject(): JsonObject {
  return Object.create(null);
}

/** One name for one place, so that what is wanted and what is found can meet. */
export function placeOf({ container, key }: { container: readonly string[]; key: string }): string {
  return JSON.stringify([container, key]);
}

/**
 * Compares what is found with what is wanted. An equal value stays as it is laid out, another is
 * replaced where it stands, and what nobody wants is removed unless it is to be kept. Returns what is
 * still to be added.
 */
export function reconcileEntries(
  set: ChangeSet,
  found: readonly FoundEntry[],
  wanted: ReadonlyMap<string, JsonEntry>,
  kept: ReadonlySet<string>,
): JsonEntry[] {
  const missing = new Map(wanted);
  for (const entry of found) {
    const place = placeOf(entry);
    const want = missing.get(place);
    missing.delete(place);
    if (want === undefined) {
      if (kept.has(place)) continue;
      changeOf(set, entry.parent, entry.container).removed.add(entry.item);
    } else if (canonicalJson(toJson(entry.item.value)) !== canonicalJson(want.value)) {
      changeOf(set, entry.parent, entry.container).replaced.set(entry.item, want.value);
    }
  }
  return [...missing.values()];
}

/** Adds an entry to the deepest container on its path that is there; the rest is created. */
export function addEntry(set: ChangeSet, entry: JsonEntry): void {
  let node = set.root;
  let depth = 0;
  for (const name of entry.container) {
    const member = getMember(node, name);
    if (member === undefined) break;
    depth += 1;
    const kind = depth === entry.container.length && entry.shape === 'array' ? 'array' : 'object';
    if (member.value.kind !== kind) throw wrongKind(set, entry, depth, member, kind);
    node = member.value;
  }
  const change = changeOf(set, node, entry.container.slice(0, depth));
  if (node.kind === 'array') {
    change.elements.push(entry.value);
    return;
  }
  if (depth === entry.container.length && getMember(node, entry.key) !== undefined) {
    throw foreignEntry(set.file, entry);
  }
  grow(change.members, depth, entry, set.created);
}

function wrongKind(
  { document, file }: ChangeSet,
  entry: JsonEntry,
  depth: number,
  member: JsonItem,
  kind: 'array' | 'object',
): CatalogError {
  const name = entry.container.slice(0, depth).join('.');
  const needed = kind === 'array' ? 'a list' : 'an object';
  return invalidTarget(
    document.text,
    member.value.start,
    file,
    `holds something other than ${needed} under ${name}, where ${entry.artifact_id} needs one`,
  );
}

function foreignEntry(file: string, entry: JsonEntry): CatalogError {
  const place = [...entry.container, entry.key].join('.');
  return new CatalogError(
    'materialize.clash',
    `${file} already holds ${place}, which catalog did not write, and ${entry.artifact_id} would be written there.`,
    {
      details: {
        clashes: [
          {
            path: `${file}: ${place}`,
            existing: 'an entry catalog does not own',
            incoming: entry.artifact_id,
          },
        ],
      },
      suggested_action: `Rename or remove ${place} in ${file}, or exclude ${entry.artifact_id} from this target.`,
    },
  );
}

/** Puts an entry into an object that is being made, from `depth` of its path on. */
export function grow(
  object: JsonObject,
  depth: number,
  entry: JsonEntry,
  created: string[][],
): void {
  const name = entry.container[depth];
  if (name === undefined) {
    object[entry.key] = entry.value;
    return;
  }
  const inner = object[name];
  const path = entry.container.slice(0, depth + 1);
  if (entry.shape === 'array' && path.length === entry.container.length) {
    if (!Array.isArray(inner)) created.push(path);
    object[name] = Array.isArray(inner) ? [...inner, entry.value] : [entry.value];
    return;
  }
  if (isJsonObject(inner)) {
    grow(inner, depth + 1, entry, created);
    return;
  }
  created.push(path);
  const made = emptyObject();
  object[name] = made;
  grow(made, depth + 1, entry, created);
}

/** Removes what catalog created and nobody uses any more, inside first. */
export function dropEmptied(set: ChangeSet): void {
  for (const path of set.created.toSorted((a, b) => b.length - a.length)) {
    const container = getContainer(set.root, path);
    const parent = getContainer(set.root, path.slice(0, -1));
    const item = parent?.items.find(({ value }) => value === container);
    if (container === undefined || parent === undefined || item === undefined) continue;
    if (!isUnused(set, container)) continue;
    set.containers.delete(container);
    changeOf(set, parent, path.slice(0, -1)).removed.add(item);
  }
}

/** True where a container holds nothing once the changes are made. */
export function isUnused(set: ChangeSet, container: JsonContainer): boolean {
  const change = set.containers.get(container);
  return (
    (change === undefined || newItems(change).length === 0) &&
    isEmptied(set.document, container, change?.removed ?? new Set())
  );
}

function newItems({ members, elements }: PendingChange): NewItem[] {
  return [
    ...Object.keys(members).map((key) => ({ key, value: members[key] ?? null })),
    ...elements.map((value) => ({ key: undefined, value })),
  ];
}

/** Turns the gathered changes into splices and notes which containers were opened or closed. */
export function toSplices(set: ChangeSet, style: JsonStyle): Splice[] {
  const splices: Splice[] = [];
  for (const [container, change] of set.containers) {
    const edit = editContainer(set.document, style, container, {
      removed: change.removed,
      replaced: change.replaced,
      added: newItems(change),
      opened: set.opened.some((path) => isSamePath(path, change.path)),
    });
    splices.push(...edit.splices);
    set.opened = set.opened.filter((path) => !isSamePath(path, change.path));
    if (edit.opened) set.opened.push([...change.path]);
  }
  return splices;
}

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && startsWith(a, b);
}

/** Whether a path begins with all the names of another. */
export function startsWith(path: readonly string[], start: readonly string[]): boolean {
  return start.every((name, index) => path[index] === name);
}
