import { expect, test } from 'vitest';
import { shellWord } from './shell-word.ts';

test.each([
  ['./registry', './registry'],
  ['~/my-skills', '~/my-skills'],
  ['https://host:8080/a', 'https://host:8080/a'],
  ['my skills', "'my skills'"],
  ['~/my skills', "~/'my skills'"],
  ["it's", String.raw`'it'\''s'`],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('shellWord(%j) is %s', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
