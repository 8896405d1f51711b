import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the first existing path, because files of the source tree and of a built program are in different places. */
export function findInstalled(from: string, places: readonly string[], missing: string): string {
  const found = places.map((place) => join(from, place)).find((place) => existsSync(place));
  if (found === undefined) throw new Error(missing);
  return found;
}
