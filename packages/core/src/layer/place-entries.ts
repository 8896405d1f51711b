import { foldPath, pathProblem } from '../artifact/safe-path.ts';

/** What stands under one name of a layer's folder. A submodule is git's name for another repository. */
export type EntryKind = 'file' | 'folder' | 'link' | 'submodule' | 'special';

/** One entry that belongs to a layer: a file of a package, a `DOMAIN.md`, or something in their place. */
export interface LayerEntry {
  /** Relative to the layer root, with `/`. */
  path: string;
  name: string;
  kind: EntryKind;
  /** The package folder it belongs to; undefined for a `DOMAIN.md` and what stands outside packages. */
  package: string | undefined;
  /** A name beside it that some file systems cannot tell from this one. */
  collides_with: string | undefined;
}

/** A folder of a layer, and the package it lies in. */
export interface LayerFolder {
  /** Relative to the layer root; empty for the root itself. */
  path: string;
  package: string | undefined;
}

/** A name in a folder, in whatever form the source has it. */
export interface NamedItem {
  readonly name: string;
}

/** What the rules make of one folder. */
export interface Placement<Item extends NamedItem> {
  onEntry: (entry: LayerEntry, item: Item) => void;
  /** A folder beneath, which has to be listed too. */
  onFolder: (folder: LayerFolder, item: Item) => void;
}

/** Files that desktops leave behind; never part of a package. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** Git's pointer to its own folder, also where case means nothing: it would make a package a repository. */
const GIT_POINTER = /^\.git$/i;

/**
 * The rules by which the names in one folder become parts of a layer, whatever the layer comes from:
 * a folder on disk and a tree in git are read by these alone, so that they cannot disagree.
 *
 * Folders whose name starts with a dot are not part of a layer. A folder with an `ARTIFACT.md` is a
 * package, also inside another package; one with only a `SKILL.md` is a package (SPEC-49) unless
 * it lies inside another, whose template it then is.
 *
 * `items` are in byte order of their names.
 */
export function placeEntries<Item extends NamedItem>(
  folder: LayerFolder,
  items: readonly Item[],
  kindOf: (item: Item) => EntryKind,
  { onEntry, onFolder }: Placement<Item>,
): void {
  const owner = packageOf(folder, items, kindOf);
  const collisions = findCollisions(items);
  for (const item of items) {
    const { name } = item;
    const path = folder.path === '' ? name : `${folder.path}/${name}`;
    const kind = kindOf(item);
    const collides_with = collisions?.get(name);
    if (kind === 'folder' && collides_with === undefined) {
      // A manifest at the root is a mistake to report, not a package around everything else.
      if (!name.startsWith('.'))
        onFolder({ path, package: owner === '' ? undefined : owner }, item);
    } else if (kind === 'folder' || isPart(name, kind, owner)) {
      onEntry({ path, name, kind, package: owner, collides_with }, item);
    }
  }
}

/** What keeps an entry from being taken whatever it holds, as a phrase that follows its path. */
export function entryProblem({ path, collides_with }: LayerEntry): string | undefined {
  if (path.includes('\uFFFD')) return 'has a name that is not UTF-8';
  const problem = pathProblem(path);
  if (problem !== undefined || collides_with === undefined) return problem;
  return `differs from ${collides_with} in the same folder only in case or accents; some file systems cannot store both`;
}

/**
 * The artifact an entry counts for; undefined where it counts for none. A folder that cannot be told
 * from another may be an artifact: that one is what is missing.
 */
export function artifactOf({ kind, package: owner, path }: LayerEntry): string | undefined {
  return kind === 'folder' ? (owner ?? path) : owner;
}

/** What an entry is read and reported with: its artifact, else its own path. */
export function keyOf(entry: LayerEntry): string {
  return artifactOf(entry) ?? entry.path;
}

/**
 * In a package everything is part of it. Outside, a `DOMAIN.md` is; a link or a submodule may stand
 * for a folder that holds some.
 */
function isPart(name: string, kind: EntryKind, owner: string | undefined): boolean {
  if (owner !== undefined) return !LITTER.has(name) && !GIT_POINTER.test(name);
  return name === 'DOMAIN.md' || kind === 'link' || kind === 'submodule';
}

/** Names of one folder that differ only in case or accents from one before them, with that one. */
function findCollisions(items: readonly NamedItem[]): Map<string, string> | undefined {
  if (items.length < 2) return undefined;
  let collisions: Map<string, string> | undefined;
  const taken = new Map<string, string>();
  for (const { name } of items) {
    const key = foldPath(name);
    const other = taken.get(key);
    if (other === undefined) taken.set(key, name);
    else (collisions ??= new Map()).set(name, other);
  }
  return collisions;
}

function packageOf<Item extends NamedItem>(
  folder: LayerFolder,
  items: readonly Item[],
  kindOf: (item: Item) => EntryKind,
): string | undefined {
  let bareSkill = false;
  for (const item of items) {
    if (item.name === 'ARTIFACT.md' && kindOf(item) !== 'folder') return folder.path;
    if (item.name === 'SKILL.md' && kindOf(item) !== 'folder') bareSkill = true;
  }
  return bareSkill && folder.package === undefined ? folder.path : folder.package;
}
