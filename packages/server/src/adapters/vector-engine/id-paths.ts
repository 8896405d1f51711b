/** The id itself and every path it lies below: what a scope is compared with. */
export function idPaths(id: string): string[] {
  const segments = id.split('/');
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}
