import { keyOf, placeEntries, type LayerEntry } from '@catalog/core/layer/place-entries';
import type { Contents } from './contents.ts';
import type { TreeItem } from './parse-tree.ts';
import { itemKind, MAX_PATH_LENGTH, type TreeFolder } from './walk-trees.ts';

/** A directory in two commits; undefined if it is not part of the layer. */
interface FolderPair {
  before: TreeFolder | undefined;
  after: TreeFolder | undefined;
}

interface PlacedFolder {
  entries: Map<string, { entry: LayerEntry; item: TreeItem }>;
  folders: Map<string, TreeFolder>;
}

/**
 * Lists the keys that differ between two commits: artifacts, domain files, and entries that replace them. Folders with
 * equal trees are skipped, so the cost depends on the size of the change.
 */
export async function changedKeys(
  contents: Contents,
  before: string,
  after: string,
  count: (names: number) => void,
): Promise<Set<string>> {
  const changed = new Set<string>();
  const root = { path: '', package: undefined };
  let level: FolderPair[] = [
    { before: { ...root, tree: before }, after: { ...root, tree: after } },
  ];
  while (level.length > 0) {
    const pairs = level.filter(differ);
    await contents.loadTrees(pairs.flatMap((pair) => treesOf(pair)));
    level = [];
    for (const pair of pairs) {
      const old = place(contents, pair.before, changed);
      const fresh = place(contents, pair.after, changed);
      count(old.entries.size + fresh.entries.size);
      compareEntries(old, fresh, changed);
      for (const path of new Set([...old.folders.keys(), ...fresh.folders.keys()])) {
        level.push({ before: old.folders.get(path), after: fresh.folders.get(path) });
      }
    }
  }
  return changed;
}

/**
 * Folders with equal trees can still differ: a parent folder that became a package changes which artifacts they
 * contain.
 */
function differ({ before, after }: FolderPair): boolean {
  return before?.tree !== after?.tree || before?.package !== after?.package;
}

function treesOf({ before, after }: FolderPair): string[] {
  return [before, after].flatMap((folder) => (folder === undefined ? [] : [folder.tree]));
}

function place(
  contents: Contents,
  folder: TreeFolder | undefined,
  changed: Set<string>,
): PlacedFolder {
  const entries: PlacedFolder['entries'] = new Map();
  const folders: PlacedFolder['folders'] = new Map();
  if (folder === undefined) return { entries, folders };
  placeEntries(folder, contents.itemsOf(folder.tree), itemKind, {
    onEntry: (entry, item) => entries.set(entry.path, { entry, item }),
    onFolder: (below, item) => {
      if (below.path.length > MAX_PATH_LENGTH) changed.add(below.package ?? below.path);
      else folders.set(below.path, { ...below, tree: item.object });
    },
  });
  return { entries, folders };
}

function compareEntries(old: PlacedFolder, fresh: PlacedFolder, changed: Set<string>): void {
  for (const [path, { entry, item }] of old.entries) {
    const now = fresh.entries.get(path);
    if (now !== undefined && sameEntry(entry, now.entry) && sameItem(item, now.item)) continue;
    changed.add(keyOf(entry));
    if (now !== undefined) changed.add(keyOf(now.entry));
  }
  for (const [path, { entry }] of fresh.entries) {
    if (!old.entries.has(path)) changed.add(keyOf(entry));
  }
}

function sameEntry(a: LayerEntry, b: LayerEntry): boolean {
  return a.package === b.package && a.collides_with === b.collides_with;
}

function sameItem(a: TreeItem, b: TreeItem): boolean {
  return a.object === b.object && a.kind === b.kind && a.executable === b.executable;
}
