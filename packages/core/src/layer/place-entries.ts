import { foldPath, pathProblem } from '../artifact/safe-path.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'submodule' | 'special';

export interface LayerEntry {
  path: string;
  name: string;
  kind: EntryKind;
  /** Package of the entry; undefined for a `DOMAIN.md` and for entries outside of packages. */
  package: string | undefined;
  /** Another name in the directory that some file systems treat as equal. */
  collides_with: string | undefined;
}

export interface LayerFolder {
  /** Path relative to the layer; empty for its root. */
  path: string;
  package: string | undefined;
}

export interface NamedItem {
  readonly name: string;
}

export interface Placement<Item extends NamedItem> {
  onEntry: (entry: LayerEntry, item: Item) => void;
  onFolder: (folder: LayerFolder, item: Item) => void;
}

/** Files of desktop environments, which are never part of a package. */
const DESKTOP_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);
/** Pointer to a git directory, in lower or upper case, which would turn a package into a repository. */
const GIT_POINTER = /^\.git$/i;

/**
 * Assigns the entries of a directory to packages, for folders and git trees alike. Directories with a leading dot are
 * not part of a layer. A directory with an `ARTIFACT.md` is a package, even inside another package. A directory with
 * only a `SKILL.md` is a package (SPEC-49) unless it is inside another one, where it is a template. `items` are in byte
 * order of their names.
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
      // A manifest at the root is an error; it does not turn the layer into a package.
      if (!name.startsWith('.'))
        onFolder({ path, package: owner === '' ? undefined : owner }, item);
    } else if (kind === 'folder' || isPart(name, kind, owner)) {
      onEntry({ path, name, kind, package: owner, collides_with }, item);
    }
  }
}

/** Returns why an entry is rejected regardless of its content, as a phrase that follows its path. */
export function entryProblem({ path, collides_with }: LayerEntry): string | undefined {
  if (path.includes('\uFFFD')) return 'has a name that is not UTF-8';
  const problem = pathProblem(path);
  if (problem !== undefined || collides_with === undefined) return problem;
  return `differs from ${collides_with} in the same folder only in case or accents; some file systems cannot store both`;
}

/**
 * Returns the artifact of an entry; undefined if there is none. A directory with a collision may itself be an artifact.
 */
export function artifactOf({ kind, package: owner, path }: LayerEntry): string | undefined {
  return kind === 'folder' ? (owner ?? path) : owner;
}

export function keyOf(entry: LayerEntry): string {
  return artifactOf(entry) ?? entry.path;
}

/**
 * Returns true for entries that belong to the layer: everything inside packages. Outside, a `DOMAIN.md`, and links and
 * submodules, because they may replace a directory with packages.
 */
function isPart(name: string, kind: EntryKind, owner: string | undefined): boolean {
  if (owner !== undefined) return !DESKTOP_FILES.has(name) && !GIT_POINTER.test(name);
  return name === 'DOMAIN.md' || kind === 'link' || kind === 'submodule';
}

/** Finds names that differ from an earlier one only in case or accents. */
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
