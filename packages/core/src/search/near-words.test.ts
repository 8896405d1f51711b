import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDictionaryWord, leastShared, mistakesBetween, trigramsOf } from './near-words.ts';

test('a word is its trigrams, with its beginning and its end', () => {
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
])('%s is so far from %s: %s', (word, term, mistakes) => {
  expect(mistakesBetween(word, term)).toBe(mistakes);
});

test('numbers, filters and what is too short or too long are in no dictionary', () => {
  for (const term of ['ab', 'sha256', 'type:skill', 'x'.repeat(33), '請求']) {
    expect(isDictionaryWord(term), term).toBe(false);
  }
  for (const term of ['abc', 'x'.repeat(32), 'αρχη']) {
    expect(isDictionaryWord(term), term).toBe(true);
  }
});

const word = fc.stringMatching(/^[abcd]{4,12}$/);

test('no near word shares fewer trigrams than are asked for', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      if (mistakesBetween(one, other) === undefined) return;
      const trigrams = new Set(trigramsOf(one));
      const shared = trigramsOf(other).filter((trigram) => trigrams.has(trigram));
      expect(shared.length).toBeGreaterThanOrEqual(leastShared(one));
    }),
    { numRuns: 20_000 },
  );
});

test('one mistake anywhere in a word of four letters or more is found', () => {
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
