import { compareBytes } from '../artifact/compare-bytes.ts';

/** The texts from one, inclusive, to another, exclusive, in byte order. */
export interface PathRange {
  from: string;
  before: string;
}

/** Above every path: none holds the last code point. */
const END = '\u{10FFFF}';
/** Below every character a path may hold. */
const LEAST = '\u0001';

/**
 * The ranges of a path and all below it, without some paths below it and what is below those; in byte
 * order. `a/b` and what begins with `a/b/` are two ranges: `a/b-c` lies between them.
 */
export function subtreeRanges(path: string, except: readonly string[]): PathRange[] {
  const holes = except
    .flatMap((hole) => wholeSubtree(hole))
    .sort((a, b) => compareBytes(a.from, b.from));
  return wholeSubtree(path).flatMap((range) => withoutHoles(range, holes));
}

/** The range of one path alone. */
export function exactRange(path: string): PathRange {
  return { from: path, before: `${path}${LEAST}` };
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
