import { placeEntries, type LayerEntry, type LayerFolder } from '@catalog/core/layer/place-entries';
import type { Contents } from './contents.ts';
import type { TreeItem } from './parse-tree.ts';

export interface TreeFolder extends LayerFolder {
  tree: string;
}

export interface TreeWalk {
  onEntry(entry: LayerEntry, item: TreeItem): void;
  onTooDeep(folder: LayerFolder): void;
  isWanted?(folder: LayerFolder): boolean;
  count(names: number): void;
}

/**
 * Maximum path length on common systems. The limit also stops hostile deep trees, where each level could double the
 * work.
 */
export const MAX_PATH_LENGTH = 4096;

/** Lists all items of a tree, with one request to git per level. */
export async function walkTrees(contents: Contents, root: string, walk: TreeWalk): Promise<void> {
  let level: TreeFolder[] = [{ path: '', package: undefined, tree: root }];
  while (level.length > 0) {
    await contents.loadTrees(level.map(({ tree }) => tree));
    const below: TreeFolder[] = [];
    const placement = {
      onEntry: (entry: LayerEntry, item: TreeItem) => walk.onEntry(entry, item),
      onFolder: (folder: LayerFolder, item: TreeItem) => {
        if (walk.isWanted?.(folder) === false) return;
        if (folder.path.length > MAX_PATH_LENGTH) walk.onTooDeep(folder);
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
