import { expect, test } from 'vitest';
import { readVocabulary, tokensOf } from './vocabulary.ts';

test('tokensOf caches words up to a limit', () => {
  const vocabulary = readVocabulary();
  const first = tokensOf('kubectl', vocabulary);
  expect(first.length).toBeGreaterThan(1);
  expect(tokensOf('kubectl', vocabulary)).toBe(first);
  for (let number = 0; number < 50_000; number += 1) tokensOf(`w${number}`, vocabulary);
  expect(vocabulary.seen.size).toBeLessThanOrEqual(20_000);
  expect(tokensOf('kubectl', vocabulary)).toEqual(first);
});

test('tokensOf does not cache a word that would keep its text in memory', () => {
  const vocabulary = readVocabulary();
  expect(tokensOf('extraordinarily', vocabulary).length).toBeGreaterThan(0);
  expect(vocabulary.seen.size).toBe(0);
});
