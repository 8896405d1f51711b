import type { AdoptSource } from './adopt-source.ts';
import { folderOf } from './template-names.ts';

/** What has to be read of a workspace to find what harnesses keep in it. */
export interface Looks {
  /** Folders to be read with all that is below them. */
  folders: string[];
  files: string[];
}

export function looksOf(sources: readonly AdoptSource[]): Looks {
  const folders = new Set<string>();
  const files = new Set<string>();
  for (const source of sources) {
    if (source.kind === 'skills') folders.add(source.folder);
    else if (source.path.includes('{name}')) folders.add(folderOf(source.path));
    else files.add(source.path);
  }
  return { folders: [...folders].sort(), files: [...files].sort() };
}
