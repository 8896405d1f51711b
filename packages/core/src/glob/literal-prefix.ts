/** Returns the leading segments without wildcards, to which an index lookup can be limited. */
export function literalPrefix(pattern: string): string {
  const segments = pattern.split('/');
  const wild = segments.findIndex((segment) => /[*?[{}]/.test(segment));
  return (wild === -1 ? segments : segments.slice(0, wild)).join('/');
}
