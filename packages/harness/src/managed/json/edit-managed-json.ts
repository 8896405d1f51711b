import type { ManagedEntry } from '../../adapter.ts';
import { isLineBreak, skipLineBreak } from '../lines.ts';
import type { ManagedEdit, OwnedEntry, OwnedFile } from '../managed-file.ts';
import { placeOf, startsWith, uniquePaths } from '../places.ts';
import { invalidTarget } from '../refusals.ts';
import { applySplices, leadStart } from '../splices.ts';
import { losesEdit, toOwned, wantedByPlace, withoutPresent } from '../wanted-entries.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import {
  addEntry,
  dropEmptied,
  emptyObject,
  grow,
  isUnused,
  reconcileEntries,
  toSplices,
  type ChangeSet,
} from './change-set.ts';
import { findEntries, getContainer, INDEX_KEY } from './find-entries.ts';
import {
  getMember,
  parseJsonDocument,
  toJson,
  type JsonContainer,
  type JsonDocument,
} from './json-document.ts';
import { detectStyle, NEW_FILE_STYLE, writeLines, type JsonStyle } from './json-style.ts';

/**
 * Edits a JSON file. Only managed entries change; all other bytes stay. Removing all entries restores the file as if
 * catalog had never written to it (T44). `text` is undefined if there is no file. Entries in `kept` are managed
 * elsewhere and stay.
 */
export function editManagedJson(
  text: string | undefined,
  desired: readonly ManagedEntry[],
  owned: OwnedFile | undefined,
  file: string,
  kept: readonly OwnedEntry[] = [],
): ManagedEdit {
  const task: Task = { wanted: wantedEntries(desired, file), desired, owned, kept, file };
  if (text === undefined) return createFile(task);
  const document = parseJsonDocument(text, file);
  const { root } = document;
  if (root === undefined) return createRoot(document, task);
  if (root.kind !== 'object') {
    throw invalidTarget(text, root.start, file, 'is not a JSON object');
  }
  return editRoot(document, root, omitUserMembers(root, task));
}

function omitUserMembers(root: JsonContainer, task: Task): Task {
  const desired = withoutPresent(task.desired, ownedOf(task), ({ container, key }) => {
    const parent = getContainer(root, container);
    return parent?.kind === 'object' && getMember(parent, key) !== undefined;
  });
  if (desired.length === task.desired.length) return task;
  return { ...task, desired, wanted: wantedEntries(desired, task.file) };
}

interface Task {
  wanted: ReadonlyMap<string, ManagedEntry>;
  desired: readonly ManagedEntry[];
  owned: OwnedFile | undefined;
  kept: readonly OwnedEntry[];
  file: string;
}

function wantedEntries(desired: readonly ManagedEntry[], file: string): Map<string, ManagedEntry> {
  const wanted = wantedByPlace(desired, file);
  for (const { shape, container, key, artifact_id, recorded } of desired) {
    if (shape === 'array' || recorded === 'lock') continue;
    const row = { ...indexPlace(artifact_id), artifact_id, value: [...container, key], recorded };
    wanted.set(placeOf(row), { shape, ...row });
  }
  return wanted;
}

function indexPlace(artifact_id: string): { container: string[]; key: string } {
  return { container: [INDEX_KEY], key: artifact_id };
}

function createFile({ wanted, desired }: Task): ManagedEdit {
  if (wanted.size === 0) return { text: undefined, owned: undefined, changed: false };
  const { text, created } = writeRoot(wanted, NEW_FILE_STYLE);
  return {
    text: text + NEW_FILE_STYLE.eol,
    owned: { created_file: true, created, opened: [], entries: desired.map(toOwned) },
    changed: true,
  };
}

/**
 * Creates the root object. In an empty file, or one with only comments, it is on its own line after the last comment.
 */
function createRoot(document: JsonDocument, { wanted, desired, owned }: Task): ManagedEdit {
  const { text, comments } = document;
  if (wanted.size === 0) return { text, owned: undefined, changed: false };
  const style = detectStyle(document);
  const root = writeRoot(wanted, style);
  const comment = comments.at(-1);
  const offset = comment?.end ?? (text.startsWith('\uFEFF') ? 1 : 0);
  const piece = comment === undefined ? root.text + style.eol : style.eol + root.text;
  return {
    text: text.slice(0, offset) + piece + text.slice(offset),
    owned: {
      created_file: owned?.created_file ?? false,
      created: [[], ...root.created],
      opened: [],
      entries: desired.map(toOwned),
    },
    changed: true,
  };
}

function writeRoot(
  wanted: ReadonlyMap<string, ManagedEntry>,
  style: JsonStyle,
): { text: string; created: string[][] } {
  const created: string[][] = [];
  const root = emptyObject();
  for (const entry of wanted.values()) grow(root, 0, entry, created);
  return { text: writeLines(root, '', style), created };
}

function editRoot(document: JsonDocument, root: JsonContainer, task: Task): ManagedEdit {
  const { wanted, owned, file } = task;
  const { text } = document;
  const set: ChangeSet = {
    document,
    root,
    file,
    containers: new Map(),
    created: [...(owned?.created ?? [])],
    opened: [...(owned?.opened ?? [])],
  };
  const found = findEntries(document, root, ownedOf(task), indexedBy(task), file);
  const keptAt = keptPlaces(task);
  const standing = found.map(({ item, ...entry }) => ({
    ...entry,
    hash: jsonHash(toJson(item.value)),
  }));
  const lost = losesEdit(standing, wanted, owned?.entries ?? [], keptAt);
  const edited = lost ? { edited: true as const } : {};
  for (const entry of reconcileEntries(set, found, wanted, keptAt)) addEntry(set, entry);
  dropEmptied(set);
  if (owned !== undefined && isUnused(set, root)) {
    const rest = withoutRoot(document, root, owned);
    if (rest !== text) return { text: rest, owned: undefined, changed: true, ...edited };
  }
  const style = detectStyle(document);
  const result = applySplices(document, toSplices(set, style), style.eol);
  return { text: result, owned: ownedAfter(set, task), changed: result !== text, ...edited };
}

function ownedOf({ owned, kept }: Pick<Task, 'owned' | 'kept'>): OwnedEntry[] {
  return [...(owned?.entries ?? []), ...kept];
}

function indexedBy(task: Task): Set<string> {
  return new Set([...ownedOf(task), ...task.desired].map(({ artifact_id }) => artifact_id));
}

function keptPlaces({ kept }: Task): Set<string> {
  return new Set(kept.flatMap((entry) => [placeOf(entry), placeOf(indexPlace(entry.artifact_id))]));
}

/** Removes the root object if catalog created it. */
function withoutRoot(
  { text, comments }: JsonDocument,
  root: JsonContainer,
  owned: OwnedFile,
): string | undefined {
  const alone = comments.every(({ start }) => start > root.start && start < root.end);
  if (owned.created_file && alone) return undefined;
  if (!owned.created.some((path) => path.length === 0)) return text;
  const lead = leadStart(text, root.start);
  // The line break before the object, or else the one after it.
  return isLineBreak(text.charCodeAt(lead))
    ? text.slice(0, lead) + text.slice(root.end)
    : text.slice(0, root.start) + text.slice(skipLineBreak(text, root.end));
}

function ownedAfter(
  { created, opened }: ChangeSet,
  { wanted, desired, owned, kept }: Task,
): OwnedFile | undefined {
  if (desired.length + kept.length === 0) return undefined;
  const containers = [...wanted.values(), ...kept].map(({ container }) => container);
  if (kept.some(({ shape }) => shape === 'map')) containers.push([INDEX_KEY]);
  function inUse(path: readonly string[]): boolean {
    return containers.some((container) => startsWith(container, path));
  }
  return {
    created_file: owned?.created_file ?? false,
    created: uniquePaths(created.filter(inUse)),
    opened: opened.filter(inUse),
    entries: [...desired.map(toOwned), ...kept],
  };
}
