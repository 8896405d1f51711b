import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeTrigger } from './judge-trigger.ts';

const RANKED = ['ops/a', 'ops/b', 'ops/c', 'ops/d'];

describe('judgeTrigger with should_trigger: true', () => {
  const trigger = { query: 'q', should_trigger: true };

  test.each([
    ['ops/a', true, 1, []],
    ['ops/c', true, 3, ['ops/a', 'ops/b']],
    ['ops/d', false, 4, ['ops/a', 'ops/b', 'ops/c']],
    ['ops/e', false, null, RANKED],
  ])('returns the expected outcome for %s: %s', (id, passed, rank, above) => {
    expect(judgeTrigger(id, trigger, RANKED, 3)).toMatchObject({
      passed,
      rank,
      above,
      first: 'ops/a',
    });
  });

  test('still passes with a larger top_k, and passes by rank only', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-e]$/)),
        fc.integer({ min: 1, max: 6 }),
        (ranked, top_k) => {
          const { passed, rank, above } = judgeTrigger('a', trigger, ranked, top_k);
          expect(passed).toBe(ranked.slice(0, top_k).includes('a'));
          expect(rank === null ? above : [...above, 'a']).toEqual(ranked.slice(0, rank ?? 6));
          const longer = judgeTrigger('a', trigger, ranked, top_k + 1);
          expect(longer.passed || !passed).toBe(true);
        },
      ),
    );
  });
});

describe('judgeTrigger with should_trigger: false', () => {
  test.each([
    ['ops/a', false, 'it ranks first'],
    ['ops/b', true, undefined],
    ['ops/e', true, undefined],
  ])('for %s returns %s if no other artifact is named', (id, passed, reason) => {
    const outcome = judgeTrigger(id, { query: 'q', should_trigger: false }, RANKED, 3);
    expect(outcome.passed).toBe(passed);
    expect(outcome.reason).toBe(reason);
  });

  test.each([
    ['ops/b', 'ops/a', undefined],
    ['ops/e', 'ops/a', undefined],
    ['ops/a', 'ops/b', 'it ranks above ops/b'],
    ['ops/a', 'ops/e', 'it ranks above ops/e'],
    ['ops/e', 'ops/d', 'ops/d ranks 4, below the top 3'],
    ['ops/e', 'ops/f', 'ops/f is not found'],
  ])('for %s with %s instead returns %s', (id, instead, reason) => {
    const trigger = { query: 'q', should_trigger: false, instead };
    const outcome = judgeTrigger(id, trigger, RANKED, 3);
    expect(outcome.reason).toBe(reason);
    expect(outcome.passed).toBe(reason === undefined);
  });
});
