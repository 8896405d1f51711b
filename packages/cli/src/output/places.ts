import { relative, sep } from 'node:path';

/** A path as a person standing in `cwd` would write it: relative inside, `~` under home, else whole. */
export function shortPath(path: string, { cwd, home }: { cwd: string; home: string }): string {
  const inside = relative(cwd, path);
  if (inside === '') return '.';
  if (inside !== '..' && !inside.startsWith(`..${sep}`)) return inside;
  if (path === home) return '~';
  return path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}
