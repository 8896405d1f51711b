import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isDictionaryWord,
  minSharedTrigrams,
  mistakesBetween,
  maxMistakes,
  trigramsOf,
  wordsToLookUp,
} from './near-words.ts';

test('trigramsOf includes the start and the end of a word', () => {
  expect(trigramsOf('hook')).toEqual([' ho', 'hoo', 'ook', 'ok ']);
  expect(trigramsOf('aaaaa')).toEqual([' aa', 'aaa', 'aa ']);
  expect(trigramsOf('\u{10428}b')).toEqual([' \u{10428}b', '\u{10428}b ']);
});

test.each([
  ['deploy', 'deploy', 0],
  ['depoly', 'deploy', 1],
  ['deply', 'deploy', 1],
  ['deeploy', 'deploy', 1],
  ['deqloy', 'deploy', 1],
  ['deqlyo', 'deploy', undefined],
  ['kubrenetse', 'kubernetes', 2],
  ['gti', 'git', undefined],
  ['abcd', 'wxyz', undefined],
])('mistakesBetween %s and %s is %s', (word, term, mistakes) => {
  expect(mistakesBetween(word, term)).toBe(mistakes);
});

test('isDictionaryWord rejects numbers, filters, and words that are too short or too long', () => {
  for (const term of ['ab', 'sha256', 'type:skill', 'x'.repeat(33), '請求']) {
    expect(isDictionaryWord(term), term).toBe(false);
  }
  for (const term of ['abc', 'x'.repeat(32), 'αρχη']) {
    expect(isDictionaryWord(term), term).toBe(true);
  }
});

const word = fc.stringMatching(/^[abcd]{4,12}$/);

test('minSharedTrigrams is a lower bound for the shared trigrams of near words', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      if (mistakesBetween(one, other) === undefined) return;
      const trigrams = new Set(trigramsOf(one));
      const shared = trigramsOf(other).filter((trigram) => trigrams.has(trigram));
      expect(shared.length).toBeGreaterThanOrEqual(minSharedTrigrams(one));
    }),
    { numRuns: 20_000 },
  );
});

test('mistakesBetween finds one mistake anywhere in a word of four or more letters', () => {
  fc.assert(
    fc.property(word, fc.nat(), fc.constantFrom('add', 'drop', 'swap'), (term, seed, kind) => {
      const at = seed % (term.length - 1);
      const misspelt = {
        add: `${term.slice(0, at)}x${term.slice(at)}`,
        drop: term.slice(0, at) + term.slice(at + 1),
        swap: `${term.slice(0, at)}${term[at + 1]}${term[at]}${term.slice(at + 2)}`,
      }[kind];
      if (misspelt.length < 4 || kind === 'swap') return;
      expect(mistakesBetween(misspelt, term)).toBeLessThanOrEqual(1);
    }),
  );
});

test('mistakesBetween accepts words that share a trigram and are few edits apart', () => {
  const end = fc.stringMatching(/^[abcd]{0,2}$/);
  const middle = fc.stringMatching(/^[abcd]{0,3}$/);
  fc.assert(
    fc.property(end, middle, middle, end, (start, one, other, rest) => {
      const [misspelt, term] = [`${start}${one}${rest}`, `${start}${other}${rest}`];
      const steps = countSteps(misspelt, term);
      const trigrams = new Set(trigramsOf(misspelt));
      const isNear =
        maxMistakes(misspelt) > 0 &&
        steps <= maxMistakes(misspelt) &&
        trigramsOf(term).some((trigram) => trigrams.has(trigram));
      expect(mistakesBetween(misspelt, term)).toBe(isNear ? steps : undefined);
    }),
    { numRuns: 2_000 },
  );
});

function countSteps(word: string, term: string): number {
  if (word === '' || term === '') return word.length + term.length;
  const [shorter, less] = [word.slice(0, -1), term.slice(0, -1)];
  const steps = [
    countSteps(shorter, term) + 1,
    countSteps(word, less) + 1,
    countSteps(shorter, less) + (word.at(-1) === term.at(-1) ? 0 : 1),
  ];
  if (word.length > 1 && term.length > 1 && word.slice(-2) === `${term.at(-1)}${term.at(-2)}`) {
    steps.push(countSteps(word.slice(0, -2), term.slice(0, -2)) + 1);
  }
  return Math.min(...steps);
}

test('wordsToLookUp returns the same number of words with and without candidates', () => {
  expect([...wordsToLookUp('a', [])]).toEqual(['a', 'a', 'a', 'a']);
  expect([...wordsToLookUp('a', ['b', 'a'])]).toEqual(['a', 'b', 'a', 'a']);
  expect([...wordsToLookUp('a', ['b', 'c', 'd', 'e'])]).toEqual(['a', 'b', 'c', 'd', 'e']);
});
