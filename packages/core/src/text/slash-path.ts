/** What a path with `/` lies in; empty for one that lies nowhere. */
export function parentPath(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether a path is the other or lies below it. Every path lies below the empty one. */
export function isWithin(path: string, above: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}/`);
}
