import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** More links indicate a circle. */
const MAX_LINKS = 40;

/** Resolves every link of a path, including a dangling one. The folder need not exist. */
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

/** Returns true if `path` equals `folder` or lies in it. Both must be real paths. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
