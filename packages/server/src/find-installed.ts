import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the first existing path: the source tree and a built program keep files in different places. */
export function findInstalled(from: string, places: readonly string[], missing: string): string {
  const found = places.map((place) => join(from, place)).find((place) => existsSync(place));
  if (found === undefined) throw new Error(missing);
  return found;
}
