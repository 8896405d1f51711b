import { readdirSync, type Dirent } from 'node:fs';
import { compareBytes } from '../artifact/compare-bytes.ts';

/** What stands under one name of a layer folder. */
export type EntryKind = 'file' | 'link' | 'special';

/** One entry that belongs to a layer: a file of a package, a `DOMAIN.md`, or something in their place. */
export interface LayerEntry {
  /** Relative to the layer root, with `/`. */
  path: string;
  name: string;
  kind: EntryKind;
  /** The package folder it belongs to; undefined for a `DOMAIN.md` and what stands outside packages. */
  package: string | undefined;
}

/** A folder that could not be listed. */
export interface UnreadableFolder {
  path: string;
  package: string | undefined;
  cause: unknown;
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
  const stack: { path: string; package: string | undefined }[] = [{ path: '', package: undefined }];
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    const entries = listFolder(root, folder, onUnreadable);
    const owner = packageOf(folder, entries);
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const entry = entries[index];
      if (entry?.isDirectory() === true && !entry.name.startsWith('.')) {
        stack.push({ path: join(folder.path, entry.name), package: owner });
      }
    }
    for (const entry of entries) {
      if (entry.isDirectory() || LITTER.has(entry.name)) continue;
      if (owner === undefined && !belongsOutsidePackages(entry.name)) continue;
      onEntry({
        path: join(folder.path, entry.name),
        name: entry.name,
        kind: kindOf(entry),
        package: owner,
      });
    }
  }
}

function listFolder(
  root: string,
  folder: { path: string; package: string | undefined },
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

function packageOf(
  folder: { path: string; package: string | undefined },
  entries: readonly Dirent[],
): string | undefined {
  let bareSkill = false;
  for (const entry of entries) {
    if (entry.name === 'ARTIFACT.md' && !entry.isDirectory()) return folder.path;
    if (entry.name === 'SKILL.md' && !entry.isDirectory()) bareSkill = true;
  }
  return bareSkill && folder.package === undefined ? folder.path : folder.package;
}

function belongsOutsidePackages(name: string): boolean {
  return name === 'DOMAIN.md';
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  return entry.isSymbolicLink() ? 'link' : 'special';
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
