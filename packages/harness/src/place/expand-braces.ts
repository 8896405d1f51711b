/** First innermost alternatives of a pattern, such as `*.{tf,tfvars}`. */
const BRACES = /^(.*?)\{([^{},]*(?:,[^{},]*)+)\}(.*)$/;

/** Maximum number of patterns, because alternatives multiply. */
const MAX_PATTERNS = 256;

export function expandBraces(globs: readonly string[]): string[] | undefined {
  const expanded: string[] = [];
  const open = globs.toReversed();
  for (let glob = open.pop(); glob !== undefined; glob = open.pop()) {
    const [, before = '', alternatives, after = ''] = BRACES.exec(glob) ?? [];
    if (alternatives === undefined) expanded.push(glob);
    else
      open.push(
        ...alternatives
          .split(',')
          .toReversed()
          .map((one) => before + one + after),
      );
    if (expanded.length + open.length > MAX_PATTERNS) return undefined;
  }
  return expanded;
}

export function tooManyPatterns(product: string): string {
  return `${product} has no alternatives in braces, and these patterns stand for more than ${MAX_PATTERNS} without them; write fewer or wider ones`;
}
