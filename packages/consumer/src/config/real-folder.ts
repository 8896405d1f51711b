import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** Links that are followed one after the other; more lead in a circle. */
const MAX_LINKS = 40;

/**
 * The real path of a folder, through every link on the way. Of a folder that does not exist yet, the
 * part that exists is resolved, and a link to it is followed.
 */
export function realFolder(path: string): string {
  return follow(path, MAX_LINKS);
}

function follow(path: string, links: number): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = follow(parent, links);
  const place = join(folder, basename(path));
  const to = links === 0 ? undefined : getLink(place);
  return to === undefined ? place : follow(resolve(folder, to), links - 1);
}

function getLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether a path is a folder or lies in it. Both are real paths. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
