import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes } from '../artifact/compare-bytes.ts';
import { importSearch, matchImports, MAX_IMPORTS } from './import-patterns.ts';

const id = fc
  .array(fc.constantFrom('a', 'b', 'a-b', 'c'), { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'));
const pattern = fc.oneof(id, fc.constantFrom('**', 'a/*', 'a/**', '*/b', '{a,b}/c', 'b/**/c', '['));

describe('imports of a DOMAIN.md', () => {
  test('are in the searched ranges, which do not overlap', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), id, (include, candidate) => {
        const search = importSearch({ include });
        const ranges = search?.ranges.filter(
          ({ from, before }) =>
            compareBytes(from, candidate) <= 0 && compareBytes(candidate, before) < 0,
        );
        const found = search?.finds(candidate) ?? false;
        expect(ranges?.length ?? 0).toBeLessThanOrEqual(1);
        if (found) expect(ranges).toHaveLength(1);
      }),
    );
  });

  test('are the same for a search over all ids and for matching new ids', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { maxLength: 4 }),
        fc.array(pattern, { maxLength: 2 }),
        fc.uniqueArray(id, { maxLength: 8 }),
        (include, exclude, ids) => {
          const search = importSearch({ include, exclude });
          const file = { layer: 1, path: 'd', exclude, imports: 0 };
          const globs = [...(search?.prefixes ?? [])].map(([prefix, patterns]) => ({
            ...file,
            prefix,
            patterns,
          }));
          const matched = matchImports(globs, ids).map((match) => match.id);
          expect(matched).toEqual(ids.filter((one) => search?.finds(one) ?? false));
        },
      ),
    );
  });

  test('are limited in number per file', () => {
    const globs = {
      prefix: '',
      patterns: ['**'],
      layer: 1,
      path: 'd',
      exclude: [],
      imports: MAX_IMPORTS - 2,
    };
    expect(matchImports([globs], ['a', 'b', 'c'])).toHaveLength(2);
    expect(matchImports([{ ...globs, imports: MAX_IMPORTS + 1 }], ['a'])).toEqual([]);
  });

  test('are empty for an invalid pattern or one that is longer than any id', () => {
    expect(importSearch({ include: ['['] })).toBeUndefined();
    expect(importSearch({ include: [`${'\u{FFFD}'.repeat(600)}/x`] })).toBeUndefined();
    expect(importSearch({})).toBeUndefined();
  });
});
