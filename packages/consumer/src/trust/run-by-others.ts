import { join } from 'node:path';
import type { Config } from '../config/types.ts';
import {
  containsPlace,
  isReached,
  namesBelow,
  namesOf,
  reachedPlaces,
  spellingsOf,
  toPlaces,
} from './named-places.ts';

/** Paths of git hooks, CI, editors, containers and packages. */
const RUN_BY_OTHERS = [
  '.husky',
  '.githooks',
  '.github/workflows',
  '.vscode',
  '.devcontainer',
  'node_modules',
];
const PLACES = toPlaces(RUN_BY_OTHERS);

export function isRunByOthers(
  directory: string,
  { workspace }: Pick<Config, 'workspace'>,
): boolean {
  const reached = reachedPlaces(workspace, RUN_BY_OTHERS);
  return spellingsOf(directory).some(
    (folder) => containsPlace(namesBelow(folder, workspace), PLACES) || isReached(folder, reached),
  );
}

export function findRunByOthers(
  directory: string,
  paths: readonly string[],
  { workspace }: Pick<Config, 'workspace'>,
): string | undefined {
  const reached = reachedPlaces(workspace, RUN_BY_OTHERS);
  const folders = spellingsOf(directory).map((folder) => ({
    folder,
    names: namesBelow(folder, workspace),
  }));
  return paths.find((path) =>
    folders.some(
      ({ folder, names }) =>
        containsPlace([...names, ...namesOf(path)], PLACES) ||
        isReached(join(folder, path), reached),
    ),
  );
}
