import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { JsonEntry } from '../adapter.ts';
import { jsonHash } from './canonical-json.ts';
import {
  addEntry,
  dropEmptied,
  emptyObject,
  grow,
  isUnused,
  placeOf,
  reconcileEntries,
  startsWith,
  toSplices,
  type ChangeSet,
} from './change-set.ts';
import { findEntries, INDEX_KEY, type FoundEntry, type MapClaim } from './find-entries.ts';
import {
  invalidTarget,
  parseJsonDocument,
  toJson,
  type JsonContainer,
  type JsonDocument,
} from './json-document.ts';
import { detectStyle, NEW_FILE_STYLE, writeLines, type JsonStyle } from './json-style.ts';
import { applySplices, leadStart } from './splices.ts';

/** What catalog owns in one JSON file, kept in the lock between two runs. */
export interface OwnedJson {
  /** The file was not there; it goes when nothing of the person's is in it. */
  created_file: boolean;
  /** Objects and arrays that were not there; they go with the last entry in them. */
  created: string[][];
  /** Objects and arrays that were there, empty, closed on one line; they are closed again. */
  opened: string[][];
  entries: OwnedJsonEntry[];
}

/** One entry of ours, as the lock remembers it. */
export interface OwnedJsonEntry {
  shape: 'array' | 'map';
  container: string[];
  /** The member name; for an array the artifact id. */
  key: string;
  artifact_id: string;
  /** Of the value, whatever its layout. */
  hash: string;
}

/** What an edit comes to. */
export interface ManagedJsonEdit {
  /** Undefined: there shall be no file. */
  text: string | undefined;
  /** Undefined: nothing in the file is ours. */
  owned: OwnedJson | undefined;
  changed: boolean;
  /** An entry of ours that a person has edited since is replaced or removed. */
  edited?: true;
}

/**
 * Brings our entries in a person's JSON file to `desired`: adds, replaces and removes them, and
 * leaves every other byte as it is. Removing all of them gives back the file as it would be had
 * catalog never written to it (threat T44). `text` undefined: there is no file. `kept` are entries
 * of ours that this run has no say in; they stay as they are.
 */
export function editManagedJson(
  text: string | undefined,
  desired: readonly JsonEntry[],
  owned: OwnedJson | undefined,
  file: string,
  kept: readonly OwnedJsonEntry[] = [],
): ManagedJsonEdit {
  const task: Task = { wanted: wantedEntries(desired, file), desired, owned, kept, file };
  if (text === undefined) return createFile(task);
  const document = parseJsonDocument(text, file);
  const { root } = document;
  if (root === undefined) return createRoot(document, task);
  if (root.kind !== 'object') {
    throw invalidTarget(text, root.start, file, 'holds no object at its top level');
  }
  return editRoot(document, root, task);
}

interface Task {
  /** By place, with the rows of the file's own index. */
  wanted: ReadonlyMap<string, JsonEntry>;
  desired: readonly JsonEntry[];
  owned: OwnedJson | undefined;
  kept: readonly OwnedJsonEntry[];
  file: string;
}

function wantedEntries(desired: readonly JsonEntry[], file: string): Map<string, JsonEntry> {
  const wanted = new Map<string, JsonEntry>();
  for (const entry of desired) {
    const other = wanted.get(placeOf(entry));
    if (other !== undefined) throw wantedTwice(file, entry, other);
    wanted.set(placeOf(entry), entry);
  }
  for (const { shape, container, key, artifact_id } of desired) {
    if (shape === 'array') continue;
    const row = { ...indexPlace(artifact_id), artifact_id, value: [...container, key] };
    wanted.set(placeOf(row), { shape, ...row });
  }
  return wanted;
}

/** Where the file itself records the owner of a map entry. */
function indexPlace(artifact_id: string): { container: string[]; key: string } {
  return { container: [INDEX_KEY], key: artifact_id };
}

function wantedTwice(file: string, entry: JsonEntry, other: JsonEntry): CatalogError {
  const place = [...entry.container, entry.key].join('.');
  return new CatalogError(
    'materialize.clash',
    `${entry.artifact_id} and ${other.artifact_id} would both be written to ${place} in ${file}.`,
    {
      details: {
        clashes: [
          {
            path: `${file}: ${place}`,
            existing: other.artifact_id,
            incoming: entry.artifact_id,
          },
        ],
      },
    },
  );
}

function createFile({ wanted, desired }: Task): ManagedJsonEdit {
  if (wanted.size === 0) return { text: undefined, owned: undefined, changed: false };
  const { text, created } = writeRoot(wanted, NEW_FILE_STYLE);
  return {
    text: text + NEW_FILE_STYLE.eol,
    owned: { created_file: true, created, opened: [], entries: desired.map(toOwned) },
    changed: true,
  };
}

/** A file that holds nothing, or only comments: our object goes behind the last of them. */
function createRoot(document: JsonDocument, { wanted, desired, owned }: Task): ManagedJsonEdit {
  const { text, comments } = document;
  if (wanted.size === 0) return { text, owned: undefined, changed: false };
  const style = detectStyle(document);
  const root = writeRoot(wanted, style);
  const comment = comments.at(-1);
  const offset = comment?.end ?? (text.startsWith('\uFEFF') ? 1 : 0);
  const lead = comment === undefined ? '' : style.eol;
  return {
    text: text.slice(0, offset) + lead + root.text + text.slice(offset),
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
  wanted: ReadonlyMap<string, JsonEntry>,
  style: JsonStyle,
): { text: string; created: string[][] } {
  const created: string[][] = [];
  const root = emptyObject();
  for (const entry of wanted.values()) grow(root, 0, entry, created);
  return { text: writeLines(root, '', style), created };
}

function editRoot(document: JsonDocument, root: JsonContainer, task: Task): ManagedJsonEdit {
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
  const found = findEntries(document, root, mapClaims(task), file);
  const edited = losesEdit(found, task) ? { edited: true as const } : {};
  for (const entry of reconcileEntries(set, found, wanted, keptPlaces(task))) addEntry(set, entry);
  dropEmptied(set);
  if (owned !== undefined && isUnused(set, root)) {
    const rest = withoutRoot(document, root, owned);
    if (rest !== text) return { text: rest, owned: undefined, changed: true, ...edited };
  }
  const style = detectStyle(document);
  const result = applySplices(document, toSplices(set, style), style.eol);
  return { text: result, owned: ownedAfter(set, task), changed: result !== text, ...edited };
}

/** Whether an entry holds neither what we left there nor what is wanted, and will not stay. */
function losesEdit(found: readonly FoundEntry[], { owned, wanted, ...task }: Task): boolean {
  const left = new Map(owned?.entries.map((entry) => [placeOf(entry), entry.hash]));
  const kept = keptPlaces(task);
  return found.some((entry) => {
    const place = placeOf(entry);
    const hash = left.get(place);
    if (hash === undefined || kept.has(place)) return false;
    const current = jsonHash(toJson(entry.item.value));
    const want = wanted.get(place);
    return current !== hash && (want === undefined || current !== jsonHash(want.value));
  });
}

function mapClaims({ desired, owned, kept }: Task): MapClaim[] {
  return [
    ...[...(owned?.entries ?? []), ...kept].map((entry) => ({ ...entry, owned: true })),
    ...desired.map((entry) => ({ ...entry, owned: false })),
  ].filter(({ shape }) => shape === 'map');
}

function keptPlaces({ kept }: Pick<Task, 'kept'>): Set<string> {
  return new Set(kept.flatMap((entry) => [placeOf(entry), placeOf(indexPlace(entry.artifact_id))]));
}

/** What is left of the file when the object at its top was ours: itself where it was not. */
function withoutRoot(
  { text, comments }: JsonDocument,
  root: JsonContainer,
  owned: OwnedJson,
): string | undefined {
  const alone = comments.every(({ start }) => start > root.start && start < root.end);
  if (owned.created_file && alone) return undefined;
  if (!owned.created.some((path) => path.length === 0)) return text;
  const behindComment = comments.some(({ end }) => end <= root.start);
  const start = behindComment ? leadStart(text, root.start) : root.start;
  return text.slice(0, start) + text.slice(root.end);
}

function ownedAfter(
  { created, opened }: ChangeSet,
  { wanted, desired, owned, kept }: Task,
): OwnedJson | undefined {
  if (desired.length + kept.length === 0) return undefined;
  const containers = [...wanted.values(), ...kept].map(({ container }) => container);
  if (kept.some(({ shape }) => shape === 'map')) containers.push([INDEX_KEY]);
  function inUse(path: readonly string[]): boolean {
    return containers.some((container) => startsWith(container, path));
  }
  return {
    created_file: owned?.created_file ?? false,
    created: created.filter(inUse),
    opened: opened.filter(inUse),
    entries: [...desired.map(toOwned), ...kept],
  };
}

function toOwned({ shape, container, key, artifact_id, value }: JsonEntry): OwnedJsonEntry {
  return { shape, container: [...container], key, artifact_id, hash: jsonHash(value) };
}
