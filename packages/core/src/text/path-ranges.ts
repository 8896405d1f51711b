import { compareBytes } from '../artifact/compare-bytes.ts';

/** Strings from `from` up to but excluding `before`, in byte order. */
export interface PathRange {
  from: string;
  before: string;
}

/** Greater than every path, because no path contains the last code point. */
const END = '\u{10FFFF}';
const MIN_CHARACTER = '\u0001';

/**
 * Returns the ranges of a path and its descendants, without the subtrees in `except`. `a/b` and `a/b/` are separate
 * ranges, because `a/b-c` is between them.
 */
export function subtreeRanges(path: string, except: readonly string[]): PathRange[] {
  const holes = except
    .flatMap((hole) => wholeSubtree(hole))
    .sort((a, b) => compareBytes(a.from, b.from));
  return wholeSubtree(path).flatMap((range) => withoutHoles(range, holes));
}

export function exactRange(path: string): PathRange {
  return { from: path, before: `${path}${MIN_CHARACTER}` };
}

function wholeSubtree(path: string): PathRange[] {
  if (path === '') return [{ from: '', before: END }];
  // `0` follows `/`.
  return [exactRange(path), { from: `${path}/`, before: `${path}0` }];
}

function withoutHoles({ from, before }: PathRange, holes: readonly PathRange[]): PathRange[] {
  const ranges: PathRange[] = [];
  let start = from;
  for (const hole of holes) {
    if (compareBytes(hole.before, start) <= 0) continue;
    if (compareBytes(hole.from, before) >= 0) break;
    if (compareBytes(start, hole.from) < 0) ranges.push({ from: start, before: hole.from });
    start = hole.before;
  }
  if (compareBytes(start, before) < 0) ranges.push({ from: start, before });
  return ranges;
}
