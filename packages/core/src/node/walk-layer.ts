import { readdirSync, type Dirent } from 'node:fs';
import { compareBytes } from '../artifact/compare-bytes.ts';
import type { EntryKind, LayerFolder } from '../layer/place-entries.ts';
import type { Listing } from '../layer/walk-entries.ts';

/** Returns the listing of a folder, for reading and change detection alike. */
export function folderListing(
  root: string,
  onUnreadable: (folder: LayerFolder, cause: unknown) => void,
): Listing<Dirent> {
  return {
    kindOf,
    list: (folder) => {
      try {
        const entries = readdirSync(folder.path === '' ? root : `${root}/${folder.path}`, {
          withFileTypes: true,
        });
        return entries.sort((a, b) => compareBytes(a.name, b.name));
      } catch (cause) {
        onUnreadable(folder, cause);
        return undefined;
      }
    },
  };
}

function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'special';
}
