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

/** A file that a marketplace renders. */
export interface RenderedFile {
  /** Relative to the folder of the marketplace. */
  path: string;
  /** True for the marketplace's own list of plugins, which contains nothing of an artifact. */
  is_list: boolean;
}

/** Finds a rendered file that a supported harness reads on this machine; undefined if there is none. */
export type FindReadFile = (
  directory: string,
  files: readonly RenderedFile[],
) => string | undefined;

/**
 * Opens the search for files that a harness reads. It reads a file if the file, or the folder of the
 * marketplace, lies in a folder of a harness: at any depth of the workspace, because harnesses also
 * read the folders of subprojects, or of any path outside. A single file such as `AGENTS.md` counts in
 * the workspace, in a folder above and in the home folder. All of this holds for names in any spelling,
 * and for links in both directions.
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
  // A workspace can lie in the folder of a harness: some keep work trees there.
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
