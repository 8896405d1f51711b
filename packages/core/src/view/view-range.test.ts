import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBytes } from '../artifact/compare-bytes.ts';
import { viewRange } from './view-range.ts';

/** Ids that sort next to `/`, the boundary of a scope. */
const id = fc.constantFrom(
  'a',
  'a-b',
  'a.b',
  'a/b',
  'a/b-c',
  'a/b/c',
  'a/b0',
  'a0',
  'b',
  'é',
  '🚀',
);

test('viewRange contains exactly the ids of the scope after the given one', () => {
  fc.assert(
    fc.property(
      id,
      fc.constantFrom('', 'a', 'a/b', 'nothing'),
      fc.oneof(id, fc.constant('')),
      (given, prefix, after) => {
        const range = viewRange({ prefix, after });
        const isBetween =
          compareBytes(range.after, given) < 0 && compareBytes(given, range.before) < 0;
        const isInScope = prefix === '' || given === prefix || given.startsWith(`${prefix}/`);
        const isAfter = compareBytes(after, given) < 0;
        expect(isBetween || given === range.itself).toBe(isInScope && isAfter);
      },
    ),
  );
});
