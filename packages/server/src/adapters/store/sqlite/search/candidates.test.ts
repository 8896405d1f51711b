import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { better, keepBest, type Candidate } from './candidates.ts';

const candidate = fc.record({
  sum: fc.integer({ min: 1, max: 5 }),
  rank: fc.integer({ min: 0, max: 2 }),
  number: fc.nat(),
});

function byNumber(a: Candidate, b: Candidate): number {
  return better(a, b) || a.number - b.number;
}

test('keepBest keeps the best candidates in order, and all ties of the last one', () => {
  const offers = fc.array(candidate, { maxLength: 200 });
  fc.assert(
    fc.property(offers, fc.integer({ min: 1, max: 8 }), (all, limit) => {
      const best = keepBest(limit);
      for (const { sum, rank, number } of all) best.offer(sum, rank, number);
      const kept = best.list();
      expect(kept).toEqual(kept.toSorted(better));
      const sorted = all.toSorted(byNumber);
      const last = sorted[limit - 1];
      const wanted = last === undefined ? sorted : sorted.filter((each) => better(each, last) <= 0);
      expect(kept.toSorted(byNumber)).toEqual(wanted);
    }),
  );
});
