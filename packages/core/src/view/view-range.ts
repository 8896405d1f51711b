import { compareBytes } from '../artifact/compare-bytes.ts';

export interface ViewRange {
  /** Id to include in addition to the range: the scope itself, if the page may start with it. */
  itself: string | undefined;
  /** The ids strictly between `after` and `before`. */
  after: string;
  before: string;
}

/** Greater than every id, because none contains the last code point. */
const END = '\u{10FFFF}';

/**
 * Returns the ids of a scope that follow a given one. The descendants of `a/b` are between `a/b/`
 * and `a/b0`. `a/b` itself comes before that range, and ids between the two, such as `a/b-c`, are
 * not part of the scope.
 */
export function viewRange({ prefix, after }: { prefix: string; after: string }): ViewRange {
  if (prefix === '') return { itself: undefined, after, before: END };
  const below = `${prefix}/`;
  return {
    itself: compareBytes(after, prefix) < 0 ? prefix : undefined,
    after: compareBytes(after, below) < 0 ? below : after,
    before: `${prefix}0`,
  };
}
