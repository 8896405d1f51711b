import { describe, expect, test } from 'vitest';
import { loadSource } from '../syntax/source-file.ts';
import { checkCode } from './check-code.ts';

const rulesIn = (source: string): string[] =>
  checkCode(loadSource('a.test.ts', source)).map(({ rule }) => rule);

describe('check of comments and test titles', () => {
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

  test('reads a multi-line comment as one text and reports the line of the word', () => {
    const source = 'const a = 1;\n// The connection is closed when the\n// server is\n// away.\n';
    expect(checkCode(loadSource('a.ts', source))).toMatchObject([
      { rule: 'vocabulary', line: 3, column: 11 },
    ]);
    expect(rulesIn('// The server is\n\n// away.\n')).toEqual([]);
  });

  test('ignores other strings, code spans and directives', () => {
    expect(rulesIn("const a = 'the server answers';")).toEqual([]);
    expect(rulesIn('// Calls `nobody`.')).toEqual([]);
    expect(rulesIn('// oxlint-disable-next-line nobody')).toEqual([]);
  });
});
