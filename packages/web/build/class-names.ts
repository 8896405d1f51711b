import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';

const SOURCE = join(import.meta.dirname, '../src');

const LENGTH = 4;

const taken = new Map<string, string>();

/**
 * Returns a class name from the module's path and the local name, so that it is the same on every machine. It starts
 * with a letter, as CSS requires.
 */
export function createClassName(name: string, file: string): string {
  const [path = ''] = relative(SOURCE, file).split('?');
  const place = `${path.replaceAll(sep, '/')} ${name}`;
  const hash = createHash('sha256').update(place).digest('base64url');
  const short = `c${hash.slice(0, LENGTH)}`;
  const other = taken.get(short) ?? place;
  if (other !== place) throw new Error(`${other} and ${place} have the same hash. Rename one.`);
  taken.set(short, place);
  return short;
}
