import {
  placeEntries,
  type EntryKind,
  type LayerEntry,
  type LayerFolder,
  type NamedItem,
} from './place-entries.ts';

export interface Listing<Item extends NamedItem> {
  /** Returns the names in a directory in byte order; undefined if they cannot be listed. */
  list: (folder: LayerFolder) => readonly Item[] | undefined;
  kindOf: (item: Item) => EntryKind;
}

/** Walk through a layer, one directory at a time, so that other work can run in between. */
export interface Walk {
  step(): boolean;
}

/** Walks a layer in byte order, depth first, and reports the entries that belong to it. */
export function openWalk<Item extends NamedItem>(
  { list, kindOf }: Listing<Item>,
  onEntry: (entry: LayerEntry, item: Item) => void,
): Walk {
  const stack: LayerFolder[] = [{ path: '', package: undefined }];
  const below: LayerFolder[] = [];
  const placement = {
    onEntry,
    onFolder: (folder: LayerFolder) => {
      below.push(folder);
    },
  };
  return {
    step: () => {
      const folder = stack.pop();
      if (folder === undefined) return false;
      const items = list(folder);
      if (items !== undefined) placeEntries(folder, items, kindOf, placement);
      for (let next = below.pop(); next !== undefined; next = below.pop()) stack.push(next);
      return true;
    },
  };
}

export function walkEntries<Item extends NamedItem>(
  listing: Listing<Item>,
  onEntry: (entry: LayerEntry, item: Item) => void,
): void {
  const walk = openWalk(listing, onEntry);
  while (walk.step());
}
