import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the first of several paths that exists, relative to `from`: the source tree and a built
 * program keep the same files in different places. Throws `missing` if none exists.
 */
export function findInstalled(from: string, places: readonly string[], missing: string): string {
  const found = places.map((place) => join(from, place)).find((place) => existsSync(place));
  if (found === undefined) throw new Error(missing);
  return found;
}
