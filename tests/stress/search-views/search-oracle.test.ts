import { referenceHybrid } from '@catalog/core/search/reference-hybrid';
import { roundVector } from '@catalog/core/search/round-vector';
import { expect, test } from 'vitest';
import { openOracle } from './oracle.ts';
import { makeQuestions } from './questions.ts';
import { makeWorld } from './world.ts';

const FLOOR = 0.35;

test('the search oracle returns the same results as the reference search', () => {
  const world = makeWorld(400, 'oracle');
  const oracle = openOracle(world);
  const artifactsOf = Map.groupBy(world.artifacts, ({ layer }) => layer);
  const vectors = new Map(
    world.artifacts.map(({ document, vector }) => [document, vector && roundVector(vector)]),
  );
  const guesses = { completed: 0, corrected: 0 };
  for (const question of makeQuestions(world, { n: 200, seed: 'oracle', least: 1 })) {
    const layers = question.layers.map((number) => {
      const held = artifactsOf.get(number) ?? [];
      return {
        number,
        heads: new Set(held.map(({ document }) => document.id)),
        documents: held.filter(({ searched }) => searched).map(({ document }) => document),
      };
    });
    const { hits, total_matched, terms } = referenceHybrid(layers, question.query, {
      query: roundVector(question.vector),
      of: (document) => vectors.get(document),
      floor: FLOOR,
      least_nearest: 0,
    });
    expect(oracle.answer(question, FLOOR)).toEqual({ hits, total_matched });
    for (const { term, for: word } of terms) {
      if (word === undefined) continue;
      guesses[term.startsWith(word) ? 'completed' : 'corrected'] += 1;
    }
  }
  // Otherwise, the queries would not cover completion and typo correction.
  expect(guesses.completed).toBeGreaterThan(0);
  expect(guesses.corrected).toBeGreaterThan(0);
});
