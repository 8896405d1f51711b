import { relative, resolve, sep } from 'node:path';
import { isAddress } from '@catalog/consumer/config/is-address';

export interface Where {
  cwd: string;
  home: string;
}

/** Shortens a path: relative inside `cwd`, with `~` in the home folder, otherwise absolute. */
export function shortPath(path: string, { cwd, home }: Where): string {
  const inside = pathInside(cwd, path);
  if (inside !== undefined) return inside === '' ? '.' : inside;
  return underHome(path, home);
}

/** Shortens a path for programs, which do not expand `~`: relative inside `cwd`, otherwise absolute. */
export function relativePath(path: string, cwd: string): string {
  return pathInside(cwd, path) ?? path;
}

/** Returns a path relative to a folder: empty for the folder itself, undefined outside. */
export function pathInside(folder: string, path: string): string | undefined {
  const rest = relative(folder, path);
  return rest === '..' || rest.startsWith(`..${sep}`) ? undefined : rest;
}

export function underHome(path: string, home: string): string {
  const inside = pathInside(home, path);
  if (inside === undefined) return path;
  return inside === '' ? '~' : `~${sep}${inside}`;
}

/** Shortens a registry: a URL, or a folder relative to `base`. */
export function shortRegistry(registry: string, base: string, where: Where): string {
  return isAddress(registry) ? registry : shortPath(resolve(base, registry), where);
}

/**
 * Shortens paths in an error, which are absolute because file functions do not know the working folder. JSON output
 * keeps them.
 */
export function shortenPaths(text: string, { cwd, home }: Where): string {
  return respell(respell(text, cwd + sep, ''), home + sep, `~${sep}`);
}

/** Characters before a path. A single quote is not included, because a shell does not expand `~` after it. */
const BEFORE_PATH = /(?:^|[\s"`(=])$/;

function respell(text: string, folder: string, short: string): string {
  const [first = '', ...rest] = text.split(folder);
  return rest.reduce(
    (before, after) => before + (BEFORE_PATH.test(before) ? short : folder) + after,
    first,
  );
}
