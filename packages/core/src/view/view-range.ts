import { compareBytes } from '../artifact/compare-bytes.ts';

export interface ViewRange {
  /** Id of the scope itself, if the page may start with it. */
  itself: string | undefined;
  /** Selects the ids strictly between `after` and `before`. */
  after: string;
  before: string;
}

/** Greater than every id, because no id contains the last code point. */
const END = '\u{10FFFF}';

/**
 * Returns the range of ids in a scope after a given id. Descendants of `a/b` are between `a/b/` and `a/b0`; ids such as
 * `a/b-c` come before that range.
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
