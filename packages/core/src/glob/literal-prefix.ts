/**
 * The segments of a pattern before the first that holds a sign with a meaning. Whatever the pattern
 * matches is this path or lies below it, so an index over paths need look nowhere else.
 */
export function literalPrefix(pattern: string): string {
  const segments = pattern.split('/');
  const wild = segments.findIndex((segment) => /[*?[{}]/.test(segment));
  return (wild === -1 ? segments : segments.slice(0, wild)).join('/');
}
