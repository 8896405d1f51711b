import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeRanking, meanMetrics, METRICS_DEPTH } from './metrics.ts';

describe('judgeRanking', () => {
  test('judges a ranking with one relevant result in third place', () => {
    const judged = judgeRanking(['a', 'b', 'c', 'd'], new Set(['c']));
    expect(judged).toEqual({ ndcg: 0.5, mrr: 1 / 3, recall: 1 });
  });

  test('judges a ranking with one of two relevant results in second place', () => {
    const { ndcg, mrr, recall } = judgeRanking(['a', 'b', 'c'], new Set(['b', 'z']));
    // 1/log2(3) divided by the ideal 1 + 1/log2(3).
    expect(ndcg).toBeCloseTo(0.386_852_807, 9);
    expect([mrr, recall]).toEqual([0.5, 0.5]);
  });

  test('ignores results beyond the depth', () => {
    const ranked = Array.from({ length: 20 }, (_, place) => `r${place}`);
    expect(judgeRanking(ranked, new Set(['r9'])).recall).toBe(1);
    expect(judgeRanking(ranked, new Set(['r10']))).toEqual({ ndcg: 0, mrr: 0, recall: 0 });
    expect(judgeRanking(ranked, new Set(['r1']), 1)).toEqual({ ndcg: 0, mrr: 0, recall: 0 });
  });

  test('returns an ideal ndcg if more results are relevant than fit', () => {
    const judged = judgeRanking(['a', 'b'], new Set(['a', 'b', 'c', 'd']), 2);
    expect(judged).toEqual({ ndcg: 1, mrr: 1, recall: 0.5 });
  });

  test('throws a RangeError if nothing is relevant', () => {
    expect(() => judgeRanking(['a'], new Set())).toThrow(RangeError);
  });
});

const ranking = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 25 });
const relevance = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), {
  minLength: 1,
  maxLength: 12,
});

describe('judgeRanking for random rankings', () => {
  test('returns values from 0 to 1', () => {
    fc.assert(
      fc.property(ranking, relevance, (ranked, relevant) => {
        for (const value of Object.values(judgeRanking(ranked, new Set(relevant)))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('returns an ideal ndcg only if no irrelevant result precedes a relevant one', () => {
    fc.assert(
      fc.property(ranking, relevance, (ranked, relevant) => {
        const wanted = new Set(relevant);
        const first = ranked.slice(0, Math.min(wanted.size, METRICS_DEPTH));
        const ideal =
          first.length === Math.min(wanted.size, METRICS_DEPTH) &&
          first.every((id) => wanted.has(id));
        expect(judgeRanking(ranked, wanted).ndcg === 1).toBe(ideal);
      }),
    );
  });

  test('never decreases if a relevant result moves up', () => {
    fc.assert(
      fc.property(ranking, relevance, fc.nat(), (ranked, relevant, at) => {
        const wanted = new Set(relevant);
        const place = ranked.length < 2 ? 0 : 1 + (at % (ranked.length - 1));
        const [above, moved] = [ranked[place - 1], ranked[place]];
        fc.pre(above !== undefined && moved !== undefined);
        fc.pre(wanted.has(moved) && !wanted.has(above));
        const better = judgeRanking(ranked.with(place - 1, moved).with(place, above), wanted);
        const worse = judgeRanking(ranked, wanted);
        expect(better.mrr).toBeGreaterThanOrEqual(worse.mrr);
        expect(better.recall).toBeGreaterThanOrEqual(worse.recall);
        if (place <= METRICS_DEPTH) expect(better.ndcg).toBeGreaterThan(worse.ndcg);
        else expect(better.ndcg).toBe(worse.ndcg);
      }),
    );
  });
});

test('meanMetrics returns the mean of all queries', () => {
  const judged = [
    { ndcg: 1, mrr: 1, recall: 0.5 },
    { ndcg: 0, mrr: 0.5, recall: 0 },
  ];
  expect(meanMetrics(judged)).toEqual({ ndcg: 0.5, mrr: 0.75, recall: 0.25 });
  expect(() => meanMetrics([])).toThrow(RangeError);
});
