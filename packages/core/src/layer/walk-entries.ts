import {
  placeEntries,
  type EntryKind,
  type LayerEntry,
  type LayerFolder,
  type NamedItem,
} from './place-entries.ts';

/** A source of folders, as far as walking it needs. */
export interface Listing<Item extends NamedItem> {
  /** The names in a folder in byte order, or undefined where it cannot be listed. */
  list: (folder: LayerFolder) => readonly Item[] | undefined;
  kindOf: (item: Item) => EntryKind;
}

/** A walk that goes on one folder at a time, so that a long one can let others run in between. */
export interface Walk {
  /** Walks one folder; false when there is none left. */
  step(): boolean;
}

/** Walks a layer in byte order, depth first, and reports what belongs to it. */
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
      // The first one is walked next.
      for (let next = below.pop(); next !== undefined; next = below.pop()) stack.push(next);
      return true;
    },
  };
}

/** A whole walk at once. */
export function walkEntries<Item extends NamedItem>(
  listing: Listing<Item>,
  onEntry: (entry: LayerEntry, item: Item) => void,
): void {
  const walk = openWalk(listing, onEntry);
  while (walk.step());
}
