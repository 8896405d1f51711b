import { tokenOf, type Registry, type Served } from './artifacts.ts';
import type { Delivery } from './expect-delivery.ts';
import type { Settings } from './settings.ts';
import { hasPlace, isShared, type UserEntry } from './shared-files.ts';
import { contentOf, isLink, isSameFile, modeOf, type Leaf, type Tree } from './tree.ts';

/**
 * The bytes that the user wrote, and those that catalog created (SPEC-72). The model never reads
 * catalog's records.
 */
export interface Model {
  registry: Map<string, Served>;
  settings: Settings;
  toggles: { add: Set<string>; remove: Set<string> };
  user: Map<string, Leaf>;
  /** Files that catalog created, with every content that it may have left in them. */
  managed: Map<string, Leaf[]>;
  /**
   * Managed files that may also belong to the user, after an interrupted or partial sync, or an edit before the next
   * sync.
   */
  doubtful: Set<string>;
  entries: Map<string, UserEntry[]>;
  /** User's text in managed entries; a copy under `.catalog/kept` is sufficient (ADR-0005). */
  entry_edits: Map<string, string[]>;
  /** Shared files reduced to catalog's entries. */
  managed_entries: Map<string, Leaf>;
  own_shared: Set<string>;
  /** Shared files as the user wrote them, if only catalog has changed them since. */
  pristine: Map<string, Leaf>;
  /** User's versions that `--take-over` replaced; restored when catalog's are removed (ADR-0073). */
  replaced: Map<string, Leaf>;
  /** User's entries that `--take-over` replaced, by file; restored when catalog's are removed. */
  replaced_entries: Map<string, UserEntry[]>;
  delivered: Map<string, Served>;
  last_viewer: string | undefined;
  settings_changed: boolean;
  /** True if the last run delivered only some targets. The state of the others is not exactly known. */
  partial: boolean;
  lock_lost: boolean;
  /** True if a broken artifact may be installed in a place where it would not be installed today. */
  may_differ_in_place: boolean;
  /** True if another user's catalog wrote the lock and state, which are only evidence (SPEC-89). */
  foreign_records: boolean;
  /**
   * Contents in rows of another user's lock, after the user edited the files. A file with one of these
   * contents counts as catalog's again (SPEC-89).
   */
  evidence: Map<string, Leaf[]>;
  entries_unrecorded: boolean;
  interrupted: Interrupted | undefined;
  /** True after undo, which may keep some results of the sync. */
  undone: boolean;
  /** The sync that undo reverts; after a kill, one of several. */
  undo: UndoPoint[];
}

/** Syncs that can be undone together: all but the last were interrupted. */
export interface UndoPoint {
  before: Tree;
  model: Model;
  between: { tree: Tree; model: Model }[];
  after: Tree;
}

export interface Interrupted extends UndoPoint {
  writes: Map<string, Leaf[]>;
}

export function modelsBefore({ model, between }: UndoPoint): Model[] {
  return [model, ...between.map((state) => state.model)];
}

export function openModel(settings: Settings): Model {
  return {
    registry: new Map(),
    settings,
    toggles: { add: new Set(), remove: new Set() },
    user: new Map(),
    managed: new Map(),
    doubtful: new Set(),
    entries: new Map(),
    entry_edits: new Map(),
    managed_entries: new Map(),
    own_shared: new Set(),
    pristine: new Map(),
    replaced: new Map(),
    replaced_entries: new Map(),
    delivered: new Map(),
    last_viewer: undefined,
    settings_changed: false,
    partial: false,
    lock_lost: false,
    may_differ_in_place: false,
    foreign_records: false,
    evidence: new Map(),
    entries_unrecorded: false,
    interrupted: undefined,
    undone: false,
    undo: [],
  };
}

/** Returns a copy that is independent of later changes, except for its undo points. */
export function copyModel(model: Model): Model {
  return {
    ...model,
    registry: new Map(model.registry),
    settings: structuredClone(model.settings),
    toggles: { add: new Set(model.toggles.add), remove: new Set(model.toggles.remove) },
    user: new Map(model.user),
    managed: new Map([...model.managed].map(([path, left]) => [path, [...left]])),
    doubtful: new Set(model.doubtful),
    entries: new Map([...model.entries].map(([path, list]) => [path, [...list]])),
    entry_edits: new Map([...model.entry_edits].map(([path, list]) => [path, [...list]])),
    managed_entries: new Map(model.managed_entries),
    own_shared: new Set(model.own_shared),
    pristine: new Map(model.pristine),
    replaced: new Map(model.replaced),
    replaced_entries: new Map(model.replaced_entries),
    evidence: new Map(model.evidence),
    delivered: new Map(model.delivered),
  };
}

export function isEdited(model: Model, path: string, leaf: Leaf | undefined): boolean {
  if (leaf === undefined) return false;
  return model.managed.get(path)?.some((left) => isSameContent(left, leaf)) === false;
}

export function isSameContent(a: Leaf, b: Leaf): boolean {
  return isLink(a) || isLink(b) ? a === b : contentOf(a) === contentOf(b);
}

const COPIES = /^\.catalog\/(?:kept|backup)\//;
const IGNORE_FILE = /^\.catalog\/(?:kept|backup)\/\.gitignore$/;

export function isCopy(path: string): boolean {
  return COPIES.test(path);
}

function holds(tree: Tree, folder: 'kept' | 'backup', of: string, text: string): boolean {
  const prefix = `.catalog/${folder}/${of}.`;
  return [...tree].some(([path, leaf]) => path.startsWith(prefix) && leaf.includes(text));
}

export interface Consent {
  takesOver: (path: string) => boolean;
}

export const NO_CONSENT: Consent = { takesOver: () => false };

/** Lists losses of bytes that catalog did not create, also after rejected and killed commands. */
export function findLosses(model: Model, before: Tree, after: Tree, consent: Consent): string[] {
  const losses: string[] = [];
  for (const [path, leaf] of model.user) {
    if (after.get(path) === leaf) continue;
    if (consent.takesOver(path) && holds(after, 'backup', path, contentOf(leaf))) continue;
    losses.push(`${path}: the user's file was ${changeOf(after.get(path))}`);
  }
  for (const path of model.managed.keys()) {
    const leaf = before.get(path);
    if (leaf === undefined || !isEdited(model, path, leaf)) continue;
    const now = after.get(path);
    if (now !== undefined && isSameContent(now, leaf)) continue;
    const isKept = (folder: 'kept' | 'backup'): boolean =>
      !isLink(leaf) && holds(after, folder, path, contentOf(leaf));
    if (isKept('kept') || (consent.takesOver(path) && isKept('backup'))) continue;
    losses.push(`${path}: an edited managed file was ${changeOf(now)} without a copy`);
  }
  for (const [path, leaf] of before) {
    if (!isCopy(path) || IGNORE_FILE.test(path) || after.get(path) === leaf) continue;
    losses.push(`${path}: a kept copy was ${changeOf(after.get(path))}`);
  }
  return [...losses, ...findSharedLosses(model, before, after, consent)];
}

function findSharedLosses(model: Model, before: Tree, after: Tree, consent: Consent): string[] {
  const losses: string[] = [];
  for (const [path, entries] of model.entries) {
    const now = after.get(path);
    for (const { text, doubtful } of entries) {
      if (now?.includes(text) === true || doubtful === true) continue;
      if (consent.takesOver(path) && holds(after, 'backup', path, text)) continue;
      losses.push(`${path}: the user's entry was lost: ${JSON.stringify(text)}`);
    }
  }
  for (const [path, edits] of model.entry_edits) {
    for (const text of edits) {
      if (after.get(path)?.includes(text) === true || holds(after, 'kept', path, text)) continue;
      if (holds(after, 'backup', path, text)) continue;
      losses.push(`${path}: an edit of a managed entry was lost: ${text}`);
    }
  }
  for (const path of model.own_shared) {
    const [was, now] = [before.get(path), after.get(path)];
    if (was === undefined || was === now) continue;
    if (now === undefined) losses.push(`${path}: the user's shared file was removed`);
    else if (isLink(was)) losses.push(`${path}: the user's link was replaced`);
    else if (modeOf(was) !== modeOf(now)) losses.push(`${path}: its mode was changed`);
    else if ((modeOf(was) & 0o200) === 0) losses.push(`${path}: is read-only and was changed`);
  }
  return losses;
}

function changeOf(leaf: Leaf | undefined): string {
  return leaf === undefined ? 'removed' : 'changed';
}

interface Expected {
  delivery: Delivery;
  /** Files of broken artifacts, which sync ignores (SPEC-73). */
  frozen: ReadonlySet<string>;
  consent: Consent;
}

export function findMismatches(
  model: Model,
  before: Tree,
  after: Tree,
  { delivery, frozen, consent }: Expected,
): string[] {
  const wrong: string[] = [];
  for (const [path, leaf] of delivery.files) {
    const now = after.get(path);
    if (isSameFile(now, leaf) || (frozen.has(path) && now === before.get(path))) continue;
    if (now === undefined) wrong.push(`${path}: was not installed`);
    else if (model.user.has(path) && !consent.takesOver(path))
      wrong.push(`${path}: the sync succeeded although a file of the user's is in the way`);
    else wrong.push(`${path}: is not what the registry serves`);
  }
  for (const path of model.managed.keys()) {
    if (delivery.files.has(path) || model.doubtful.has(path)) continue;
    const [was, now] = [before.get(path), after.get(path)];
    if (was === undefined || now === undefined) continue;
    const former = model.replaced.get(path);
    if (former !== undefined && isSameContent(former, now)) continue;
    if (!isEdited(model, path, was))
      wrong.push(`${path}: catalog created it and did not remove it`);
  }
  for (const [path, leaf] of after) {
    if (before.has(path) || delivery.files.has(path) || isShared(path) || isCopy(path)) continue;
    wrong.push(`${path}: appeared and is not what the registry serves: ${leaf.slice(0, 40)}`);
  }
  return wrong;
}

export function findEntryMismatches(
  model: Model,
  after: Tree,
  delivered: Registry,
  delivery: Delivery,
): string[] {
  const wrong: string[] = [];
  const paths = new Set([...delivery.shared.keys(), ...model.entries.keys(), ...after.keys()]);
  for (const path of [...paths].filter(isShared)) {
    const wanted = delivery.shared.get(path);
    const now = after.get(path) ?? '';
    const own = [...(model.entries.get(path) ?? []), ...(model.replaced_entries.get(path) ?? [])]
      .map(({ text }) => text)
      .join('\n');
    for (const [id, { edition }] of delivered) {
      const token = tokenOf(id, edition);
      if (wanted?.includes(token) === true && !now.includes(token)) {
        wrong.push(`${path}: lacks the entry of ${id}`);
      }
    }
    if (model.entries_unrecorded) continue;
    for (const [token = ''] of now.matchAll(TOKEN)) {
      if (wanted?.includes(token) === true || own.includes(token)) continue;
      wrong.push(`${path}: still holds ${token}, which the registry does not serve`);
    }
  }
  return wrong;
}

/** Tokens of managed entries that the user has not edited. */
export const TOKEN = /\b(?:law|db|logs|end)-e\d+e\b(?!-)/g;

/**
 * Converts the user's entries at the position of installed ones to catalog's, with the user's
 * consent.
 */
export function handOverEntries(
  model: Model,
  delivery: Delivery,
  isMeant: (path: string) => boolean,
  isInterrupted = false,
): void {
  for (const [path, entries] of model.entries) {
    const delivered = delivery.shared.get(path);
    if (delivered === undefined || !isMeant(path)) continue;
    const isHandedOver = (entry: UserEntry): boolean => hasPlace(path, delivered, entry);
    if (entries.some(({ name }) => name !== undefined)) model.pristine.delete(path);
    const taken = entries.filter(isHandedOver);
    model.replaced_entries.set(path, [...(model.replaced_entries.get(path) ?? []), ...taken]);
    model.entries.set(
      path,
      entries
        .filter((entry) => isInterrupted || !isHandedOver(entry))
        // Next to a broken artifact, another one with the same name may have been installed here.
        .map((entry) => (entry.name === undefined ? entry : { ...entry, doubtful: true })),
    );
  }
}
