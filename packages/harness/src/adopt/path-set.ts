import { foldPath } from '@catalog/core/artifact/safe-path';

/** Set of paths that can exist together even on file systems that ignore case and accents. */
export interface PathSet {
  /** Adds a path. Returns false if it clashes with an earlier file or folder. */
  claim: (path: string) => boolean;
}

export function createPathSet(paths: readonly string[] = []): PathSet {
  /** Spellings by folded path; folders have a final `/`. */
  const spellings = new Map<string, string>();

  function claim(path: string): boolean {
    const folders = foldersAbove(path);
    const clashes = folders.some(
      (folder) => (spellings.get(foldPath(folder)) ?? `${folder}/`) !== `${folder}/`,
    );
    if (clashes || spellings.has(foldPath(path))) return false;
    for (const folder of folders) spellings.set(foldPath(folder), `${folder}/`);
    spellings.set(foldPath(path), path);
    return true;
  }

  for (const path of paths) claim(path);
  return { claim };
}

/** Returns the parent folders, `a` and `a/b` for `a/b/c`. */
export function foldersAbove(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, at) => segments.slice(0, at + 1).join('/'));
}
