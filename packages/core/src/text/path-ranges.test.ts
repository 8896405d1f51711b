import { compareBytes } from '../artifact/compare-bytes.ts';
import { isWithin } from './slash-path.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { subtreeRanges } from './path-ranges.ts';

test('subtreeRanges contains exactly the paths of a subtree without the excluded ones', () => {
  const path = fc
    .array(fc.constantFrom('a', 'a-b', 'a0', 'a b', '\u{10FFFD}'), { maxLength: 4 })
    .map((segments) => segments.join('/'));
  fc.assert(
    fc.property(path, fc.array(path, { maxLength: 3 }), path, (top, holes, candidate) => {
      const ranges = subtreeRanges(top, holes);
      const found = ranges.some(
        ({ from, before }) =>
          compareBytes(from, candidate) <= 0 && compareBytes(candidate, before) < 0,
      );
      expect(found).toBe(
        isWithin(candidate, top) && !holes.some((hole) => isWithin(candidate, hole)),
      );
    }),
    { numRuns: 3000 },
  );
});
