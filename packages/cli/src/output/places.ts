import { relative, resolve, sep } from 'node:path';
import { isAddress } from '@catalog/consumer/config/is-address';

/** Where the person stands, and where they live. */
export interface Where {
  cwd: string;
  home: string;
}

/** A path as a person standing in `cwd` would write it: relative inside, `~` under home, else whole. */
export function shortPath(path: string, { cwd, home }: Where): string {
  const inside = pathInside(cwd, path);
  if (inside !== undefined) return inside === '' ? '.' : inside;
  return underHome(path, home);
}

/** For programs, which know no `~`: relative inside `cwd`, else whole. */
export function relativePath(path: string, cwd: string): string {
  return pathInside(cwd, path) ?? path;
}

/** The rest of a path that lies in a folder; empty for the folder itself, undefined for one outside. */
export function pathInside(folder: string, path: string): string | undefined {
  const rest = relative(folder, path);
  return rest === '..' || rest.startsWith(`..${sep}`) ? undefined : rest;
}

/** `~` and what lies under it; any other path as it is. */
export function underHome(path: string, home: string): string {
  const inside = pathInside(home, path);
  if (inside === undefined) return path;
  return inside === '' ? '~' : `~${sep}${inside}`;
}

/** A registry as a lock or a configuration names it: an address, or a folder counted from `base`. */
export function shortRegistry(registry: string, base: string, where: Where): string {
  return isAddress(registry) ? registry : shortPath(resolve(base, registry), where);
}

/**
 * The paths in a message as a person would write them. Who reads and writes files knows no working
 * folder, so errors name whole paths; programs get them like that.
 */
export function shortenPaths(text: string, { cwd, home }: Where): string {
  return respell(respell(text, cwd + sep, ''), home + sep, `~${sep}`);
}

/** What may stand before a path. A single quote is left out: in it a shell would take `~` for a letter. */
const BEFORE_PATH = /(?:^|[\s"`(=])$/;

function respell(text: string, folder: string, short: string): string {
  const [first = '', ...rest] = text.split(folder);
  return rest.reduce(
    (before, after) => before + (BEFORE_PATH.test(before) ? short : folder) + after,
    first,
  );
}
