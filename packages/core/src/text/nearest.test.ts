import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test.each([
  ['a letter too few', 'desciption', ['description', 'name'], 'description'],
  ['two neighbours swapped', 'snyc', ['sync', 'status'], 'sync'],
  ['another case', 'TAGS', ['tags'], 'tags'],
  ['the nearer of two', 'harness-b', ['harness-abc', 'harness-a'], 'harness-a'],
  ['one letter of a short word', 'ag', ['tag'], 'tag'],
  ['two letters of a short word', 'a', ['tag'], undefined],
  ['more than a third', 'abcdef', ['abcxyz'], undefined],
  ['nothing to choose from', 'abc', [], undefined],
])('nearest handles %s', (_, word, candidates, meant) => {
  expect(nearest(word, candidates)).toBe(meant);
});

test('nearest respects the maximum number of edits', () => {
  expect(nearest('model_clas_hnt', ['model_class_hint'], 2)).toBe('model_class_hint');
  expect(nearest('mdel_clas_hnt', ['model_class_hint'], 2)).toBeUndefined();
  expect(nearest('mdel_clas_hnt', ['model_class_hint'])).toBe('model_class_hint');
});

test('nearest finds a word with up to a third of its letters replaced', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 20 }),
      fc.nat(20),
      (word, start) => {
        const slips = Math.floor(word.length / 3);
        const letters = word.split('');
        for (let slip = 0; slip < slips; slip += 1) letters[(start + slip * 2) % word.length] = '!';
        const wrong = letters.filter((letter) => letter === '!').length;
        expect(nearest(letters.join(''), [word], wrong)).toBe(word);
        expect(nearest(letters.join(''), [word], wrong - 1)).toBeUndefined();
      },
    ),
  );
});
