import type { AdoptSource } from './adopt-source.ts';
import { childPath, folderOf } from './template-names.ts';

export interface WorkspacePaths {
  /** Folders to read with all subfolders. */
  folders: string[];
  files: string[];
}

export function listPathsToRead(sources: readonly AdoptSource[]): WorkspacePaths {
  const folders = new Set<string>();
  const files = new Set<string>();
  for (const source of sources) {
    if (source.kind === 'skills') {
      const { folder, names } = source;
      for (const path of names?.map((name) => childPath(folder, name)) ?? [folder]) {
        folders.add(path);
      }
    } else if (source.kind === 'documents' && source.files !== undefined) {
      for (const file of source.files) files.add(file);
    } else if (source.path.includes('{name}')) folders.add(folderOf(source.path));
    else files.add(source.path);
  }
  return { folders: [...folders].sort(), files: [...files].sort() };
}
