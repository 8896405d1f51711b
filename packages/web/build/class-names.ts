import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';

const SOURCE = join(import.meta.dirname, '../src');

/** Characters of the hash in a class name. */
const LENGTH = 4;

/** The class that has each name. */
const taken = new Map<string, string>();

/**
 * Returns the name of a class in the bundle: a hash of the path of its module and its name there, which is the
 * same on every machine. Starts with a letter, as an identifier in CSS must.
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
