import { lastSegment, parentPath } from '../text/slash-path.ts';

/** Every domain above a path, nearest first and without the root. */
export function ancestorPaths(path: string): string[] {
  const ancestors: string[] = [];
  for (let above = parentPath(path); above !== ''; above = parentPath(above)) ancestors.push(above);
  return ancestors;
}

/** A domain and every one above it, the root last. */
export function pathAndAbove(path: string): string[] {
  return path === '' ? [''] : [path, ...ancestorPaths(path), ''];
}

/** A path as seen from a domain above it. */
export function relativePath(path: string, from: string): string {
  return from === '' ? path : path.slice(from.length + 1);
}

/** A path's last segment as a title, for a domain nobody describes: `incident-response` is `Incident Response`. */
export function titleOf(path: string): string {
  return lastSegment(path)
    .split(/[-_\s]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
