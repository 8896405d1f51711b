import { dirname, join, resolve } from 'node:path';
import { foldPath } from '@catalog/core/artifact/safe-path';
import { isInside, realFolder } from '../config/real-folder.ts';

/**
 * Returns normalized names of a path. Two paths share one if some file system treats them as equal: macOS and Windows
 * ignore case, macOS invisible characters, Windows trailing dots and spaces and what follows a colon.
 */
export function namesOf(path: string): string[] {
  return path
    .split(/[/\\]/)
    .map((name) => foldPath(name.replaceAll(/\p{Cf}/gu, '').replace(/:.*$/s, '')))
    .map((name) => name.replace(/[. ]+$/, ''))
    .filter((name) => name !== '');
}

export type NormalizedPaths = ReadonlySet<string>;

export function toPlaces(paths: Iterable<string>): NormalizedPaths {
  return new Set([...paths].map((path) => namesOf(path).join('/')));
}

/** Maximum number of segments in a path of a harness, with a margin for third-party adapters. */
const MAX_NAMES = 8;

export function containsPlace(names: readonly string[], places: NormalizedPaths): boolean {
  return names.some((_, start) => {
    const end = Math.min(names.length, start + MAX_NAMES);
    for (let stop = start + 1; stop <= end; stop += 1) {
      if (places.has(names.slice(start, stop).join('/'))) return true;
    }
    return false;
  });
}

/** Returns all names of a path below a folder. */
export function namesBelow(path: string, folder: string): string[] {
  const root = spellingsOf(folder).find((spelling) => isInside(path, spelling)) ?? '';
  return namesOf(path.slice(root.length));
}

/** Returns paths as given and with links resolved. */
export function reachedPlaces(folder: string, paths: Iterable<string>): NormalizedPaths {
  const below = [...paths].map((path) => join(folder, path));
  return toPlaces([...below, ...below.map(realFolder)]);
}

export function isReached(path: string, places: NormalizedPaths): boolean {
  const names = namesOf(path);
  return names.some((_, index) => places.has(names.slice(0, index + 1).join('/')));
}

export function spellingsOf(directory: string): string[] {
  return [...new Set([resolve(directory), realFolder(directory)])];
}

export function listAncestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listAncestors(above)];
}
