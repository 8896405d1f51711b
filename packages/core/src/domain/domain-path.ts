import { lastSegment, parentPath } from '../text/slash-path.ts';

/** Returns the ancestors of a path, nearest first, without the root. */
export function ancestorPaths(path: string): string[] {
  const ancestors: string[] = [];
  for (let above = parentPath(path); above !== ''; above = parentPath(above)) ancestors.push(above);
  return ancestors;
}

/** Returns a path and all its ancestors; the root is last. */
export function pathAndAbove(path: string): string[] {
  return path === '' ? [''] : [path, ...ancestorPaths(path), ''];
}

export function relativePath(path: string, from: string): string {
  return from === '' ? path : path.slice(from.length + 1);
}

/** Returns the title of a domain without a description: `incident-response` becomes `Incident Response`. */
export function titleOf(path: string): string {
  return lastSegment(path)
    .split(/[-_\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
