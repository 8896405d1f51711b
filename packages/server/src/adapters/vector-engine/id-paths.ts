/** Returns the id and its parent paths, which are compared with a scope. */
export function idPaths(id: string): string[] {
  const segments = id.split('/');
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}
