import type { ManagedEntry } from '../../adapter.ts';
import { jsonHash } from '@catalog/core/canonical-json';
import { emptyObject, grow } from '../json/change-set.ts';
import type { EditManaged, ManagedEdit, OwnedEntry, OwnedFile } from '../managed-file.ts';
import { placeOf, startsWith, uniquePaths } from '../places.ts';
import { invalidTarget } from '../refusals.ts';
import { losesEdit, toOwned, wantedByPlace, withoutPresent } from '../wanted-entries.ts';
import { addEntries } from './add-entries.ts';
import { findEntries } from './find-entries.ts';
import { readYamlDocument } from './read-yaml-document.ts';
import { reconcileEntries, type CreatedContainers } from './reconcile-entries.ts';
import { writeBlock } from './write-yaml.ts';
import { getContainer, getMember, type YamlContainer, type YamlDocument } from './yaml-document.ts';
import { detectStyle, NEW_FILE_STYLE } from './yaml-style.ts';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Edits a YAML file, whose managed entries only the lock records. Entries are added after the removals, so that each is
 * handled as if it were the only one. `created` are mappings and lists created for entries. `opened` are nulls of the
 * user that became a mapping or list, with the original text.
 */
export const editManagedYaml: EditManaged = (text, desired, owned, file, kept = []) => {
  const task: Task = { desired, owned, kept, file };
  if (text === undefined) return createFile(task);
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const edit = editText(text.slice(mark.length), task);
  return edit.text === undefined ? edit : { ...edit, text: mark + edit.text };
};

interface Task {
  desired: readonly ManagedEntry[];
  owned: OwnedFile | undefined;
  kept: readonly OwnedEntry[];
  file: string;
}

function createFile({ desired, file }: Task): ManagedEdit {
  if (desired.length === 0) return { text: undefined, owned: undefined, changed: false };
  const created: string[][] = [];
  const root = emptyObject();
  for (const entry of wantedByPlace(desired, file).values()) grow(root, 0, entry, created);
  return {
    text: writeBlock(root, 0, NEW_FILE_STYLE) + NEW_FILE_STYLE.eol,
    owned: { created_file: true, created, opened: [], entries: desired.map(toOwned) },
    changed: true,
  };
}

function editText(text: string, task: Task): ManagedEdit {
  const { owned, kept, file } = task;
  const document = readYamlDocument(text, file);
  const root = rootOf(document, file);
  const ours = [...(owned?.entries ?? []), ...kept];
  const desired = withoutPresent(task.desired, ours, ({ container, key }) => {
    const parent = getContainer(root, container);
    return parent?.kind === 'object' && getMember(parent, key) !== undefined;
  });
  const wanted = wantedByPlace(desired, file);
  const found = findEntries(document, root, ours, desired, file);
  const keptPlaces = new Set(kept.map(placeOf));
  const made = { created: [...(owned?.created ?? [])], opened: [...(owned?.opened ?? [])] };
  const style = detectStyle(document);
  const settled = reconcileEntries(document, root, style, found, wanted, keptPlaces, made);
  const edited =
    settled.edited || losesEdit(found, wanted, owned?.entries ?? [], keptPlaces)
      ? { edited: true as const }
      : {};
  const result = settled.missing.length === 0 ? settled : addMissing(settled, file);
  if (isCreatedAndEmpty(result.text, text, owned)) {
    return { text: undefined, owned: undefined, changed: true, ...edited };
  }
  if (result.text !== text && !holds(result.text, desired, file)) {
    throw invalidTarget(text, root.start, file, 'holds YAML catalog cannot edit');
  }
  const after = ownedAfter(result, desired, task);
  return { text: result.text, owned: after, changed: result.text !== text, ...edited };

  function addMissing(
    { text: rest, missing, created, opened }: typeof settled,
    path: string,
  ): CreatedContainers & { text: string } {
    const left = rest === text ? document : readYamlDocument(rest, path);
    return addEntries(left, rootOf(left, path), style, missing, path, { created, opened });
  }
}

function rootOf({ text, root, content_end }: YamlDocument, file: string): YamlContainer {
  if (root?.kind === 'object') return root;
  if (root !== undefined) {
    throw invalidTarget(text, root.start, file, 'is not a YAML mapping');
  }
  const place = { start: content_end, end: content_end, anchor: undefined };
  return { kind: 'object', flow: false, items: [], ...place };
}

/** Returns true if the text contains all desired entries; otherwise it is never written. */
function holds(text: string, desired: readonly ManagedEntry[], file: string): boolean {
  try {
    const document = readYamlDocument(text, file);
    const found = findEntries(document, rootOf(document, file), desired.map(toOwned), [], file);
    const hashes = new Map(found.map((entry) => [placeOf(entry), entry.hash]));
    return desired.every((entry) => hashes.get(placeOf(entry)) === jsonHash(entry.value));
  } catch {
    return false;
  }
}

function isCreatedAndEmpty(text: string, before: string, owned: OwnedFile | undefined): boolean {
  return owned?.created_file === true && text !== before && text.trim() === '';
}

function ownedAfter(
  { created, opened }: CreatedContainers,
  desired: readonly ManagedEntry[],
  { owned, kept }: Task,
): OwnedFile | undefined {
  if (desired.length + kept.length === 0) return undefined;
  const containers = [...desired, ...kept].map(({ container }) => container);
  function inUse(path: readonly string[]): boolean {
    return containers.some((container) => startsWith(container, path));
  }
  return {
    created_file: owned?.created_file ?? false,
    created: uniquePaths(created.filter(inUse)),
    opened: opened.filter((row) => inUse(row.slice(0, -1))),
    entries: [...desired.map(toOwned), ...kept],
  };
}
