/** Returns the parent of a path with `/`; empty at the top level. */
export function parentPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns true if a path equals `above` or is below it. Every path is below the empty one. */
export function isWithin(path: string, above: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}/`);
}
