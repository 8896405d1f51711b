import { readdirSync, type Dirent } from 'node:fs';
import { compareBytes } from '../artifact/compare-bytes.ts';
import { foldPath } from '../artifact/safe-path.ts';

/** What stands under one name of a layer folder. */
export type EntryKind = 'file' | 'folder' | 'link' | 'special';

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

/** A folder that could not be listed. */
export interface UnreadableFolder {
  path: string;
  package: string | undefined;
  cause: unknown;
}

/** A folder still to be walked, and the package it lies in. */
interface PendingFolder {
  path: string;
  package: string | undefined;
}

/** Files that desktops leave behind; never part of a package. */
const LITTER = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini']);

/**
 * Walks a layer folder in byte order and reports what belongs to the layer, without opening a file.
 * Reading and change detection share it, so that they can never disagree about what a layer holds.
 *
 * Folders whose name starts with a dot are not part of a layer. A folder with an `ARTIFACT.md` is a
 * package, also inside another package; one with only a `SKILL.md` is a package (decision 49) unless
 * it lies inside another, whose template it then is.
 */
export function walkLayer(
  root: string,
  onEntry: (entry: LayerEntry) => void,
  onUnreadable: (folder: UnreadableFolder) => void,
): void {
  const stack: PendingFolder[] = [{ path: '', package: undefined }];
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    const entries = listFolder(root, folder, onUnreadable);
    const owner = packageOf(folder, entries);
    const collisions = findCollisions(entries);
    const first = stack.length;
    for (const entry of entries) {
      const { name } = entry;
      const path = folder.path === '' ? name : `${folder.path}/${name}`;
      const collides_with = collisions?.get(name);
      if (entry.isDirectory() && collides_with === undefined) {
        // A manifest at the root is a mistake to report, not a package around everything else.
        if (!name.startsWith('.')) stack.push({ path, package: owner === '' ? undefined : owner });
      } else if (entry.isDirectory() || isPart(entry, owner)) {
        onEntry({ path, name, kind: kindOf(entry), package: owner, collides_with });
      }
    }
    reverseFrom(stack, first);
  }
}

/** Puts what was pushed last on top first, so that folders are visited in order. */
function reverseFrom(stack: PendingFolder[], first: number): void {
  const pushed = stack.splice(first);
  for (const item of pushed.toReversed()) stack.push(item);
}

/** In a package everything is part of it; outside, a `DOMAIN.md` is, and a link may stand for a folder. */
function isPart(entry: Dirent, owner: string | undefined): boolean {
  if (owner !== undefined) return !LITTER.has(entry.name);
  return entry.name === 'DOMAIN.md' || entry.isSymbolicLink();
}

/** Names of one folder that differ only in case or accents from one before them, with that one. */
function findCollisions(entries: readonly Dirent[]): Map<string, string> | undefined {
  if (entries.length < 2) return undefined;
  let collisions: Map<string, string> | undefined;
  const taken = new Map<string, string>();
  for (const { name } of entries) {
    const key = foldPath(name);
    const other = taken.get(key);
    if (other === undefined) taken.set(key, name);
    else (collisions ??= new Map()).set(name, other);
  }
  return collisions;
}

function listFolder(
  root: string,
  folder: PendingFolder,
  onUnreadable: (folder: UnreadableFolder) => void,
): Dirent[] {
  try {
    const entries = readdirSync(folder.path === '' ? root : `${root}/${folder.path}`, {
      withFileTypes: true,
    });
    return entries.sort((a, b) => compareBytes(a.name, b.name));
  } catch (cause) {
    onUnreadable({ ...folder, cause });
    return [];
  }
}

function packageOf(folder: PendingFolder, entries: readonly Dirent[]): string | undefined {
  let bareSkill = false;
  for (const entry of entries) {
    if (entry.name === 'ARTIFACT.md' && !entry.isDirectory()) return folder.path;
    if (entry.name === 'SKILL.md' && !entry.isDirectory()) bareSkill = true;
  }
  return bareSkill && folder.package === undefined ? folder.path : folder.package;
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}
