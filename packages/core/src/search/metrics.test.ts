import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeRanking, meanMetrics, METRICS_DEPTH } from './metrics.ts';

describe('a ranking', () => {
  test('of one relevant result in third place', () => {
    const judged = judgeRanking(['a', 'b', 'c', 'd'], new Set(['c']));
    expect(judged).toEqual({ ndcg: 0.5, mrr: 1 / 3, recall: 1 });
  });

  test('of two relevant results, one found second', () => {
    const { ndcg, mrr, recall } = judgeRanking(['a', 'b', 'c'], new Set(['b', 'z']));
    // 1/log2(3) of the ideal 1 + 1/log2(3).
    expect(ndcg).toBeCloseTo(0.386_852_807, 9);
    expect([mrr, recall]).toEqual([0.5, 0.5]);
  });

  test('is looked at to its depth and no further', () => {
    const ranked = Array.from({ length: 20 }, (_, place) => `r${place}`);
    expect(judgeRanking(ranked, new Set(['r9'])).recall).toBe(1);
    expect(judgeRanking(ranked, new Set(['r10']))).toEqual({ ndcg: 0, mrr: 0, recall: 0 });
    expect(judgeRanking(ranked, new Set(['r1']), 1)).toEqual({ ndcg: 0, mrr: 0, recall: 0 });
  });

  test('that cannot hold all that is relevant may still be ideal', () => {
    const judged = judgeRanking(['a', 'b'], new Set(['a', 'b', 'c', 'd']), 2);
    expect(judged).toEqual({ ndcg: 1, mrr: 1, recall: 0.5 });
  });

  test('cannot be judged where nothing is relevant', () => {
    expect(() => judgeRanking(['a'], new Set())).toThrow(RangeError);
  });
});

const ranking = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 25 });
const relevance = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), {
  minLength: 1,
  maxLength: 12,
});

describe('every ranking', () => {
  test('is between nothing and the ideal', () => {
    fc.assert(
      fc.property(ranking, relevance, (ranked, relevant) => {
        for (const value of Object.values(judgeRanking(ranked, new Set(relevant)))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('is ideal exactly where nothing irrelevant stands before what is relevant', () => {
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

  test('gets no worse when a relevant result moves up by one', () => {
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

test('a set is judged by the mean of its queries', () => {
  const judged = [
    { ndcg: 1, mrr: 1, recall: 0.5 },
    { ndcg: 0, mrr: 0.5, recall: 0 },
  ];
  expect(meanMetrics(judged)).toEqual({ ndcg: 0.5, mrr: 0.75, recall: 0.25 });
  expect(() => meanMetrics([])).toThrow(RangeError);
});
