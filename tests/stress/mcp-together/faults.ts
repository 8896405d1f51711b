import { loadLock } from '@catalog/consumer/lock/read-lock';
import { hashTree, listFiles } from '../../../bench/tree.ts';
import type { Place } from './place.ts';

/** Files of the catalogue that are there and not whole: read while others write. */
export function findTorn({ target, whole }: Place): string[] {
  const torn: string[] = [];
  for (const [path, expected] of whole) {
    const found = hashOf(target, path);
    if (found !== undefined && found !== expected) torn.push(`${path} is not whole`);
  }
  return torn;
}

function hashOf(target: string, path: string): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/'));
  try {
    return hashTree(`${target}/${folder}`, (name) => `${folder}/${name}` === path)
      .values()
      .next().value;
  } catch {
    return undefined; // it has just gone, or is not there yet
  }
}

/** Artifacts that were loaded for good, and that the lock does not name. */
export function findLost({ target }: Place, loaded: ReadonlySet<string>): string[] {
  const held = new Set(loadLock(target).artifacts.map(({ id }) => id));
  return [...loaded].filter((id) => !held.has(id)).map((id) => `the lock lost ${id}`);
}

/** At the end: every row of the lock has its file, and every file of the catalogue its row. */
export function findMismatches({ target, whole }: Place): string[] {
  const lock = loadLock(target);
  const rows = new Set(lock.files.map(({ path }) => path));
  const files = new Set(listFiles(target));
  return [
    ...[...rows].filter((path) => !files.has(path)).map((path) => `${path} has a row and no file`),
    ...[...whole.keys()]
      .filter((path) => files.has(path) && !rows.has(path))
      .map((path) => `${path} has no row`),
  ];
}
