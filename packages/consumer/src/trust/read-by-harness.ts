import { join } from 'node:path';
import type { HarnessAdapter } from '@catalog/harness/adapter';
import { listReadPlaces } from '@catalog/harness/read-places';
import type { Config } from '../config/types.ts';
import {
  containsPlace,
  isReached,
  listAncestors,
  namesBelow,
  namesOf,
  reachedPlaces,
  spellingsOf,
  toPlaces,
} from './named-places.ts';

export interface RenderedFile {
  path: string;
  /** True for the list of plugins, which has no content of artifacts. */
  is_list: boolean;
}

/** Finds a rendered file that a harness on this machine reads; undefined if there is none. */
export type FindReadFile = (
  directory: string,
  files: readonly RenderedFile[],
) => string | undefined;

/**
 * Opens the search for files that a harness reads, in any spelling and through links. Folders of a harness match at any
 * depth, because harnesses read subprojects too. A file such as `AGENTS.md` matches in the workspace, in its parents
 * and in the home folder.
 */
export function openReadFiles(
  { workspace, home }: Pick<Config, 'workspace' | 'home'>,
  known: ReadonlyMap<string, HarnessAdapter>,
): FindReadFile {
  const { folders, files: single } = listReadPlaces(known);
  const all = [...folders, ...single];
  const inFolders = toPlaces(folders);
  const anywhere = toPlaces(all);
  const above = spellingsOf(workspace).flatMap(listAncestors);
  const places = [
    ...toPlaces(above.flatMap((base) => all.map((path) => join(base, path)))),
    ...[workspace, ...spellingsOf(home)].flatMap((base) => [...reachedPlaces(base, all)]),
  ];
  // A workspace can be inside a folder of a harness, which may keep worktrees there.
  const reached = new Set(places.filter((place) => !isReached(workspace, new Set([place]))));
  return (directory, files) => {
    const [first] = files;
    for (const folder of spellingsOf(directory)) {
      const names = namesBelow(folder, workspace);
      if (first !== undefined && containsPlace(names, anywhere)) return join(folder, first.path);
      for (const { path, is_list } of files) {
        const file = join(folder, path);
        if (isReached(file, reached)) return file;
        if (!is_list && containsPlace([...names, ...namesOf(path)], inFolders)) return file;
      }
    }
    return undefined;
  };
}
