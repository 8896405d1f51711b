import { placeEntries, type LayerEntry, type LayerFolder } from '@catalog/core/layer/place-entries';
import type { Contents } from './contents.ts';
import type { TreeItem } from './parse-tree.ts';

/** A folder of a layer and the tree that holds its names. */
export interface TreeFolder extends LayerFolder {
  tree: string;
}

export interface TreeWalk {
  onEntry(entry: LayerEntry, item: TreeItem): void;
  /** A folder whose path no system could hold. */
  onTooDeep(folder: LayerFolder): void;
  /** Whether to walk into a folder; absent means into every one. */
  isWanted?(folder: LayerFolder): boolean;
  /** Called with the number of names in each folder; throws when there have been too many. */
  count(names: number): void;
}

/** A path longer than this cannot be opened on any system; each of its folders would double the work. */
export const LONGEST_PATH = 4096;

/** Walks a layer's folders level by level, so that each level is one question to git. */
export async function walkTrees(contents: Contents, root: string, walk: TreeWalk): Promise<void> {
  let level: TreeFolder[] = [{ path: '', package: undefined, tree: root }];
  while (level.length > 0) {
    await contents.loadTrees(level.map(({ tree }) => tree));
    const below: TreeFolder[] = [];
    const placement = {
      onEntry: (entry: LayerEntry, item: TreeItem) => walk.onEntry(entry, item),
      onFolder: (folder: LayerFolder, item: TreeItem) => {
        if (walk.isWanted?.(folder) === false) return;
        if (folder.path.length > LONGEST_PATH) walk.onTooDeep(folder);
        else below.push({ ...folder, tree: item.object });
      },
    };
    for (const folder of level) {
      const items = contents.itemsOf(folder.tree);
      walk.count(items.length);
      placeEntries(folder, items, itemKind, placement);
    }
    level = below;
  }
}

export function itemKind({ kind }: TreeItem): TreeItem['kind'] {
  return kind;
}
