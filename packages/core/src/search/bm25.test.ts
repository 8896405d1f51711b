import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SearchDocument } from '../ports/search-index.ts';
import { boundOf, impactOf, MAX_IMPACT, rarityOf, scoreOf } from './bm25.ts';
import { fuse } from './fuse.ts';
import { referenceSearch } from './reference-search.ts';

const frequency = fc.integer({ min: 1, max: 10_000 });
const length = fc.integer({ min: 1, max: 100_000 });

test('impactOf is the BM25 quotient in integer units', () => {
  fc.assert(
    fc.property(frequency, length, (times, words) => {
      const exact = (times * 2.2) / (times + 1.2 * (0.25 + (0.75 * words) / 32));
      expect(Math.abs(impactOf(times, words) / 16_384 - exact)).toBeLessThanOrEqual(1 / 16_384);
      expect(impactOf(times, words)).toBeLessThanOrEqual(MAX_IMPACT);
      expect(impactOf(times + 1, words)).toBeGreaterThanOrEqual(impactOf(times, words));
      expect(impactOf(times, words + 1)).toBeLessThanOrEqual(impactOf(times, words));
    }),
  );
  expect(MAX_IMPACT).toBeLessThan(0x10000);
});

test('rarityOf is higher for rare words and positive for words in every document', () => {
  expect(rarityOf(1000, 1)).toBeGreaterThan(rarityOf(1000, 2));
  expect(rarityOf(10_000_000, 10_000_000)).toBeGreaterThan(0);
  expect(scoreOf(rarityOf(100, 10) * MAX_IMPACT)).toBeCloseTo(2.2 * Math.log(1 + 90.5 / 10.5), 4);
});

test('sums of scores stay exact for the largest catalog', () => {
  const largest = rarityOf(1_000_000_000, 0) * MAX_IMPACT * 64;
  expect(largest).toBeLessThan(Number.MAX_SAFE_INTEGER);
});

const word = fc.constantFrom('invoice', 'report', 'team', 'deploy');
const document: fc.Arbitrary<SearchDocument> = fc.record({
  id: fc.constant('x'),
  type: fc.constant('skill'),
  tags: fc.array(word, { maxLength: 2 }),
  name: word,
  description: fc.array(word, { maxLength: 9 }).map((words) => words.join(' ')),
  when_to_use: fc.constant([]),
});

test('scores never exceed the bound of the query', () => {
  fc.assert(
    fc.property(fc.array(document), fc.array(word, { minLength: 1 }), (documents, words) => {
      const layer = { number: 1, heads: new Set<string>(), documents };
      const query = { query: words.join(' '), type: '', tags: [], scope: '', top_k: 50 };
      const { hits, bound } = referenceSearch([layer], query);
      for (const { score } of hits) {
        expect(score).toBeGreaterThan(0);
        expect(score).toBeLessThanOrEqual(bound);
        expect(fuse({ score, bound })).toBeLessThanOrEqual(0.75);
      }
    }),
  );
});

test('boundOf includes words that occur in no document', () => {
  expect(boundOf([rarityOf(10, 3), rarityOf(10, 0)])).toBeGreaterThan(boundOf([rarityOf(10, 3)]));
});

test('fuse adds the cosine and three quarters of the share of the bound', () => {
  expect(fuse({ score: 2, bound: 4 })).toBe(0.375);
  expect(fuse({ score: 2, bound: 4 }, { cosine: 0.5 })).toBe(0.875);
  expect(fuse({ score: 0, bound: 0 })).toBe(0);
  expect(fuse({ score: 1, bound: 3 })).toBe(0.25);
});
