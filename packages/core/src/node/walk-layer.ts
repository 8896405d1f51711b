import { readdirSync, type Dirent } from 'node:fs';
import { compareBytes } from '../artifact/compare-bytes.ts';
import type { EntryKind, LayerFolder } from '../layer/place-entries.ts';
import type { Listing } from '../layer/walk-entries.ts';

/**
 * A layer's folder, for a walk that opens no file. Reading and change detection share it, so that
 * they can never disagree about what a layer holds.
 */
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
