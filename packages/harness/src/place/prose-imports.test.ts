import { describe, expect, test } from 'vitest';
import { importsFromFile, importsFromRoot } from './prose-imports.ts';

describe('importsFromRoot', () => {
  test.each([
    ['A.md', 'See @docs/style.md, and @README.md.', 'See @./docs/style.md, and @./README.md.'],
    ['A.md', '- @./a/b\n- @../shared/rules.md', '- @./a/b\n- @./../shared/rules.md'],
    ['.claude/A.md', '@style.md, @../AGENTS.md', '@./.claude/style.md, @./AGENTS.md'],
    ['.claude/rules/a.md', '@../../docs/a.md @./b.md', '@./docs/a.md @./.claude/rules/b.md'],
    ['A.md', '@.github/a.md', '@./.github/a.md'],
  ])('for %j converts %j', (file, text, fromRoot) => {
    expect(importsFromRoot(text, file)).toBe(fromRoot);
  });

  test.each([
    '@~/mine.md and @/etc/motd.md count from elsewhere',
    'me@example.com, @types/node, @param x',
    '`@docs/a.md`\n\n```\n@docs/b.md\n```\n',
  ])('keeps %j unchanged', (text) => {
    expect(importsFromRoot(text, '.claude/A.md')).toBe(text);
  });
});

describe('importsFromFile', () => {
  test.each([
    ['.claude/rules/a.md', 'See @./docs/style.md.', 'See @../../docs/style.md.'],
    ['.claude/rules/a.md', '@./.claude/rules/b.md', '@./b.md'],
    ['.claude/rules/a.md', '@./../shared/a.md', '@../../../shared/a.md'],
    ['.gemini/A.md', '@./.gemini/a.md and @./a.md', '@./a.md and @../a.md'],
    ['A.md', '@./docs/style.md', '@./docs/style.md'],
    ['.claude/rules/a.md', '@../../docs/a.md, @docs/a.md', '@../../docs/a.md, @docs/a.md'],
    ['.claude/rules/a.md', '`@./docs/a.md`', '`@./docs/a.md`'],
  ])('for %j converts %j', (file, text, fromFile) => {
    expect(importsFromFile(text, file)).toBe(fromFile);
  });

  test('reverses importsFromRoot', () => {
    const text = 'Read @../../docs/a.md, @./b.md and @../c/d.md.';
    const file = '.claude/rules/a.md';
    expect(importsFromFile(importsFromRoot(text, file), file)).toBe(text);
  });
});
