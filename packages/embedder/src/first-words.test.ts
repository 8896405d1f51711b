import { expect, test } from 'vitest';
import { firstWords } from './first-words.ts';

test.each([
  ['Sends an Invoice.', ['sends', 'an', 'invoice', '.']],
  ['kebab-case snake_case $HOME', ['kebab', '-', 'case', 'snake', '_', 'case', '$', 'home']],
  ['l’été ÅNGSTRÖM', ['l', '’', 'ete', 'angstrom']],
  ['東京の塔', ['東', '京', 'の', '塔']],
  ['\u{20000}a', ['\u{20000}', 'a']],
  // Only three control characters separate words; the others are ignored.
  ['a\tb\nc\rd', ['a', 'b', 'c', 'd']],
  ['a\vb\fc\0d\u007Fe', ['abcde']],
  ['é\u00ADx\uD800y\uFFFD', ['exy']],
  ['é\u00A0x\u3000y\uFEFFz', ['e', 'x', 'y', 'z']],
  ['\u200B', []],
  ['', []],
])('firstWords splits %j', (text, words) => {
  expect(firstWords(text, 100)).toEqual(words);
});

test('firstWords returns at most the requested number of words', () => {
  expect(firstWords('one, two, three', 3)).toEqual(['one', ',', 'two']);
  expect(firstWords('one,', 1)).toEqual(['one']);
  expect(firstWords('one two', 2)).toEqual(['one', 'two']);
});
