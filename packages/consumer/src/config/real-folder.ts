import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** Maximum number of links, above which they form a cycle. */
const MAX_LINKS = 40;

/** Resolves all links of a path, even if the target does not exist. */
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

/** Returns true if `path` is `folder` or inside it. Both must be real paths. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
