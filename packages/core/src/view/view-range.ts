import { compareBytes } from '../artifact/compare-bytes.ts';

/** Where in the byte order of ids a page of a view lies. */
export interface ViewRange {
  /** The id that is asked for beside the range: the scope itself, where the page may begin with it. */
  itself: string | undefined;
  /** The ids strictly between these two. */
  after: string;
  before: string;
}

/** Above every id: no id contains the last code point. */
const END = '\u{10FFFF}';

/**
 * The ids of a scope that follow one. Below `a/b` lies what is between `a/b/` and `a/b0`. `a/b` itself
 * comes before that, and what stands between the two, such as `a/b-c`, is no part of it.
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
