import { dirname, join, resolve } from 'node:path';
import { foldPath } from '@catalog/core/artifact/safe-path';
import { isInside, realFolder } from '../config/real-folder.ts';

/**
 * The names of a path, such that two paths have the same names if some file system treats them as one:
 * macOS and Windows ignore case, macOS invisible characters, Windows trailing dots and spaces and
 * whatever follows a colon.
 */
export function namesOf(path: string): string[] {
  return path
    .split(/[/\\]/)
    .map((name) => foldPath(name.replaceAll(/\p{Cf}/gu, '').replace(/:.*$/s, '')))
    .map((name) => name.replace(/[. ]+$/, ''))
    .filter((name) => name !== '');
}

/** Places by their names, to be looked up in any spelling. */
export type NamedPlaces = ReadonlySet<string>;

export function toPlaces(paths: Iterable<string>): NamedPlaces {
  return new Set([...paths].map((path) => namesOf(path).join('/')));
}

/** Names in the longest place that is known, with room for those of third-party adapters. */
const MAX_NAMES = 8;

/** Whether a path leads through one of some places, at any depth. */
export function containsPlace(names: readonly string[], places: NamedPlaces): boolean {
  return names.some((_, start) => {
    const end = Math.min(names.length, start + MAX_NAMES);
    for (let stop = start + 1; stop <= end; stop += 1) {
      if (places.has(names.slice(start, stop).join('/'))) return true;
    }
    return false;
  });
}

/** The names of a path below a folder, or all its names if it lies outside. */
export function namesBelow(path: string, folder: string): string[] {
  const root = spellingsOf(folder).find((spelling) => isInside(path, spelling)) ?? '';
  return namesOf(path.slice(root.length));
}

/** Where some places of a folder really are, and where they appear to be. */
export function reachedPlaces(folder: string, paths: Iterable<string>): NamedPlaces {
  const below = [...paths].map((path) => join(folder, path));
  return toPlaces([...below, ...below.map(realFolder)]);
}

/** Whether an absolute path is one of some places or lies in it. */
export function isReached(path: string, places: NamedPlaces): boolean {
  const names = namesOf(path);
  return names.some((_, index) => places.has(names.slice(0, index + 1).join('/')));
}

/** A folder as it is named and as it really is. */
export function spellingsOf(directory: string): string[] {
  return [...new Set([resolve(directory), realFolder(directory)])];
}

/** A folder and everything above it. */
export function listAncestors(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...listAncestors(above)];
}
