import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canRead, decideSources, countLowerBound } from './sources.ts';
import type { Filters, KnownTerm } from './terms.ts';

const NO_FILTERS: Filters = { required: [], scope: '', inside: undefined };

const term: fc.Arbitrary<KnownTerm> = fc
  .record({
    tid: fc.nat(),
    holders: fc.integer({ min: 1, max: 20_000 }),
    elsewhere: fc.nat({ max: 20_000 }),
    listed: fc.boolean(),
  })
  .map(({ tid, holders, elsewhere, listed }) => ({
    term: `t${tid}`,
    tid,
    holders,
    everywhere: holders + elsewhere,
    listed,
  }));
const terms = fc.uniqueArray(term, { minLength: 1, maxLength: 8, selector: ({ tid }) => tid });
const anyFilters = fc
  .array(term, { maxLength: 3 })
  .map((required) => ({ ...NO_FILTERS, required }));
const anyView = fc.record({
  documents: fc.integer({ min: 1, max: 40_000 }),
  layers: fc.integer({ min: 1, max: 60 }),
  most_whole: fc.constantFrom(10_000, 20_000),
});

function costOf({ listed, holders, everywhere }: KnownTerm): number {
  return listed ? holders : everywhere;
}

test('decideSources searches every word and respects the limit for complete reads', () => {
  fc.assert(
    fc.property(terms, anyFilters, anyView, (words, filters, view) => {
      const sources = decideSources(words, filters, view);
      const { any_of, listed, best_of, together, by_filters, in_view } = sources;
      const isSmall = view.documents <= view.most_whole;
      const mayRead = (cost: number): boolean =>
        canRead(cost) || (isSmall && cost <= view.documents);
      if (isSmall) expect(sources.complete).toBe(true);
      if (by_filters) {
        const cost = Math.min(...filters.required.map(({ everywhere }) => everywhere));
        return mayRead(cost) && sources.complete;
      }
      if (in_view) return mayRead(view.documents) && sources.complete;
      const found = [...any_of, ...listed, ...best_of.map(({ word }) => word)];
      expect(new Set(found)).toEqual(new Set(words));
      expect(sources.complete).toBe(best_of.length === 0);
      const partly = new Set(together);
      const whole = found.filter((word) => !partly.has(word));
      return mayRead(whole.reduce((sum, word) => sum + costOf(word), 0));
    }),
  );
});

test('countLowerBound never exceeds the number of matching documents', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ words: fc.nat({ max: 7 }), tags: fc.nat({ max: 7 }), hidden: fc.boolean() }),
        {
          maxLength: 60,
        },
      ),
      fc.array(fc.nat({ max: 2 }), { maxLength: 3 }),
      fc.array(fc.nat({ max: 2 }), { maxLength: 2 }),
      (documents, words, tags) => {
        const has = (bits: number, bit: number): boolean => ((bits >> bit) & 1) === 1;
        const holders = (of: 'words' | 'tags', bit: number): KnownTerm => {
          const held = documents.filter((each) => has(each[of], bit)).length;
          return { term: `${of}${bit}`, tid: bit, holders: held, everywhere: held, listed: false };
        };
        const matching = documents.filter(
          (each) =>
            !each.hidden &&
            (words.length === 0 || words.some((word) => has(each.words, word))) &&
            tags.every((tag) => has(each.tags, tag)),
        );
        const required = tags.map((tag) => holders('tags', tag));
        const bound = countLowerBound(
          words.map((word) => holders('words', word)),
          { ...NO_FILTERS, required },
          { documents: documents.length, hidden: documents.filter(({ hidden }) => hidden).length },
        );
        expect(bound).toBeLessThanOrEqual(matching.length);
      },
    ),
  );
});

test('countLowerBound without hidden documents returns at least the count of the most frequent word', () => {
  const [a, b] = [5, 30_000].map((holders, tid): KnownTerm => ({
    term: `t${tid}`,
    tid,
    holders,
    everywhere: holders,
    listed: true,
  }));
  expect(a && b && countLowerBound([a, b], NO_FILTERS, { documents: 50_000, hidden: 0 })).toBe(
    30_000,
  );
});
