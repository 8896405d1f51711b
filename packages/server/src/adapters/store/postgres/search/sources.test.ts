import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canRead, decideSources, estimateMatches } from './sources.ts';
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

test('every word is looked for, and no more is read whole than may be', () => {
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

test('an estimate is never more than the view, and no less than its commonest word', () => {
  fc.assert(
    fc.property(terms, fc.integer({ min: 20_000, max: 40_000 }), (words, documents) => {
      const estimate = estimateMatches(words, NO_FILTERS, documents);
      expect(estimate).toBeLessThanOrEqual(documents);
      expect(estimate).toBeGreaterThanOrEqual(Math.max(...words.map(({ holders }) => holders)) - 1);
    }),
  );
});
