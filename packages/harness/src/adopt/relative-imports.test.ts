import { expect, test } from 'vitest';
import { relativeImports } from './relative-imports.ts';

test.each([
  ['See @docs/style.md, and @README.md.', ['@docs/style.md', '@README.md']],
  ['- @./a/b\n- @../shared/rules.md\n- @../shared/rules.md', ['@./a/b', '@../shared/rules.md']],
  ['@~/mine.md and @/etc/motd.md count from elsewhere', []],
  ['me@example.com, @types/node, @param x', []],
  ['`@docs/a.md`\n\n```\n@docs/b.md\n```\n', []],
])('%j imports %j', (text, imports) => {
  expect(relativeImports(text)).toEqual(imports);
});
