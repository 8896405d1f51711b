import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import type { ManagedEntry } from '../../adapter.ts';
import { editContainer, isEmptied, type WriteText } from '../edit-container.ts';
import { isSamePath, placeOf } from '../places.ts';
import { foreignEntry, wrongKind } from '../refusals.ts';
import type { Splice } from '../splices.ts';
import { canonicalJson } from '@catalog/core/canonical-json';
import { getContainer, type FoundEntry } from './find-entries.ts';
import {
  getMember,
  toJson,
  type JsonContainer,
  type JsonDocument,
  type JsonItem,
} from './json-document.ts';
import { isOneLine, writeValue, type JsonStyle } from './json-style.ts';

/** Changes of a file, collected before anything is written. */
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

/** Returns an object without a prototype, so that no key is inherited. */
export function emptyObject(): JsonObject {
  return Object.create(null);
}

/**
 * Changes entries: equal values keep their formatting, different ones are replaced in place, and unwanted ones are
 * removed. Returns the entries to add.
 */
export function reconcileEntries(
  set: ChangeSet,
  found: readonly FoundEntry[],
  wanted: ReadonlyMap<string, ManagedEntry>,
  kept: ReadonlySet<string>,
): ManagedEntry[] {
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

/** Adds an entry to the deepest existing container on its path and creates the rest. */
export function addEntry(set: ChangeSet, entry: ManagedEntry): void {
  let node = set.root;
  let depth = 0;
  for (const name of entry.container) {
    const member = getMember(node, name);
    if (member === undefined) break;
    depth += 1;
    const kind = depth === entry.container.length && entry.shape === 'array' ? 'array' : 'object';
    if (member.value.kind !== kind) {
      const needed = kind === 'array' ? 'a list' : 'an object';
      throw wrongKind(set.document.text, member.value.start, set.file, entry, depth, needed);
    }
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

/** Creates the containers of an entry from index `depth` of its path on. */
export function grow(
  object: JsonObject,
  depth: number,
  entry: ManagedEntry,
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

/** Removes containers that catalog created, innermost first. */
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

interface NewItem {
  key: string | undefined;
  value: Json;
}

function toWriter({ key, value }: NewItem, style: JsonStyle): WriteText {
  const name = key === undefined ? '' : JSON.stringify(key) + (style.spaced ? ': ' : ':');
  return (indent) => name + writeValue(value, indent, style);
}

/** Returns the edits of a file, and records which containers were opened or closed. */
export function toSplices(set: ChangeSet, style: JsonStyle): Splice[] {
  const splices: Splice[] = [];
  const layout = { ...style, one_line: isOneLine(set.document) };
  for (const [container, change] of set.containers) {
    const replaced = Array.from(
      change.replaced,
      ([item, value]) => [item, toWriter({ key: undefined, value }, style)] as const,
    );
    const edit = editContainer(set.document, layout, container, {
      removed: change.removed,
      replaced: new Map(replaced),
      added: newItems(change).map((item) => toWriter(item, style)),
      opened: set.opened.some((path) => isSamePath(path, change.path)),
    });
    splices.push(...edit.splices);
    set.opened = set.opened.filter((path) => !isSamePath(path, change.path));
    if (edit.opened) set.opened.push([...change.path]);
  }
  return splices;
}
