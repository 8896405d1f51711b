import { expect, test } from 'vitest';
import { splitGlobs } from './split-globs.ts';

test.each([
  ['', []],
  [' , ,', []],
  ['deploy/**', ['deploy/**']],
  ['deploy/**, infra/**', ['deploy/**', 'infra/**']],
  ['src/**/*.{ts,tsx},docs/*.md', ['src/**/*.{ts,tsx}', 'docs/*.md']],
  ['{a,{b,c}},d', ['{a,{b,c}}', 'd']],
  ['a},b', ['a}', 'b']],
  ['{a,b', ['{a,b']],
  ['a/**\nb/**,\r\n  {c,\nd,e', ['a/**', 'b/**', '{c,', 'd', 'e']],
])('splitGlobs splits %j into %j', (list, globs) => {
  expect(splitGlobs(list)).toEqual(globs);
});
