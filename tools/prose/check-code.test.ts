import { describe, expect, test } from 'vitest';
import { compareWithBaseline, lineOf } from './baseline.ts';
import { checkCode } from './check-code.ts';

const rulesIn = (source: string): string[] =>
  checkCode('a.test.ts', source).map(({ rule }) => rule);

describe('the check of comments and test titles', () => {
  test('reads line comments, block comments and the titles of tests', () => {
    expect(rulesIn('// Nobody reads it.\nconst a = 1;')).toEqual(['vocabulary']);
    expect(rulesIn('/** Nobody reads it. */\nconst a = 1;')).toEqual(['vocabulary']);
    expect(rulesIn("test('the server answers', () => {});")).toEqual(['vocabulary']);
    expect(rulesIn("test.each([1])('the server answers', () => {});")).toEqual(['vocabulary']);
    expect(rulesIn('describe(`the server answers ${a}`, () => {});')).toEqual(['vocabulary']);
    expect(rulesIn("verifies('A-01', 'the server answers', () => {});")).toEqual(['vocabulary']);
  });

  test('reports a comment that starts with a clause', () => {
    expect(rulesIn('/** What an ingest may bring. */\nconst a = 1;')).toEqual(['riddle']);
    expect(rulesIn('/** Where backups go. */\nconst a = 1;')).toEqual(['riddle']);
    expect(rulesIn('/** Folder of the backups. */\nconst a = 1;')).toEqual([]);
  });

  test('reads a comment of several lines as one text, with the line of the word', () => {
    const source = 'const a = 1;\n// The connection is closed when the\n// server is\n// away.\n';
    expect(checkCode('a.ts', source)).toMatchObject([{ rule: 'vocabulary', line: 3, column: 11 }]);
    expect(rulesIn('// The server is\n\n// away.\n')).toEqual([]);
  });

  test('ignores other strings, code spans and directives', () => {
    expect(rulesIn("const a = 'the server answers';")).toEqual([]);
    expect(rulesIn('// Calls `nobody`.')).toEqual([]);
    expect(rulesIn('// oxlint-disable-next-line nobody')).toEqual([]);
  });
});

describe('the baseline', () => {
  const findings = checkCode('a.ts', '// Nobody reads it.\nlet a;\n// Nobody reads it.\nlet b;');
  const [first] = findings;
  if (first === undefined) throw new Error('no finding');
  const line = lineOf(first);

  test('covers one finding with each line, in whatever file it is', () => {
    expect(compareWithBaseline(findings, [line]).added).toHaveLength(1);
    const moved = findings.map((finding) => ({ ...finding, path: 'b.ts', line: 9 }));
    expect(compareWithBaseline(moved, [line, line])).toEqual({
      added: [],
      needed: [line, line],
      stale: 0,
    });
  });

  test('does not cover a comment after an edit, and reports lines without a finding', () => {
    const edited = checkCode('a.ts', '// Nobody reads or writes it.');
    const { added, needed, stale } = compareWithBaseline(edited, [line]);
    expect([added.length, needed, stale]).toEqual([1, [], 1]);
  });
});
