import { loadLock } from '@catalog/consumer/lock/read-lock';
import { hashTree, listFiles } from '../../../bench/tree.ts';
import type { Place } from './place.ts';

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
    return undefined;
  }
}

export function findLost({ target }: Place, loaded: ReadonlySet<string>): string[] {
  const held = new Set(loadLock(target).artifacts.map(({ id }) => id));
  return [...loaded].filter((id) => !held.has(id)).map((id) => `the lock lost ${id}`);
}

/** Checks that every entry of the lock has its file, and every file of the catalog its entry. */
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
