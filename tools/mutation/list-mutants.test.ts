import { describe, expect, test } from 'vitest';
import { listMutants } from './list-mutants.ts';
import { applyMutant } from './mutant.ts';
import { reachingTests } from './reaching-tests.ts';

const tables: [code: string, mutated: string[]][] = [
  ['if (a) b();', ['if (!(a)) b();', 'if (a) ;']],
  ['x = a < b;', [';', 'x = a <= b;']],
  ['x = a === b;', [';', 'x = a !== b;']],
  ['x = a + b;', [';', 'x = a - b;']],
  ['x += a;', [';', 'x -= a;']],
  ['x = a && b;', [';', 'x = a || b;']],
  ['x = a ?? b;', [';', 'x = a && b;']],
  ['let x = true;', ['let x = false;']],
  ["let x = 'a';", ["let x = '';"]],
  ["let x = '';", ["let x = 'mutant';"]],
  ['let x = `a${b}`;', ['let x = ``;']],
  ["let x = 'The file is gone.';", []],
  ['let x = `The file ${a} is gone.`;', []],
  ['function f() { return a; }', ['function f() { return undefined; }']],
  ['function f() { return undefined; }', []],
  ['let f = () => a;', ['let f = () => undefined;']],
  ['for (;;) continue;', ['for (;;) ;']],
  ['throw a;', [';']],
  ['let x = a?.b;', ['let x = a.b;']],
  ['let x = a?.[b];', ['let x = a[b];']],
  ['let x = a?.(b);', ['let x = a(b);']],
  ['let x = a.toString();', []],
  ['let x = a.some(f);', ['let x = a.every(f);']],
  ['let x = a.filter(f).length;', ['let x = a.length;']],
  ['let x = a ? b : c;', ['let x = !(a) ? b : c;']],
  ["import a from 'a'; export * from 'b';", []],
  ["let x: 'a' | 'b'; type T = { a: true };", []],
  ["let x = { 'a-b': 1 };", []],
  ["let x = 'a' as const;", ["let x = '' as const;"]],
];

describe('listMutants', () => {
  test.each(tables)('mutates %s', (code, mutated) => {
    const results = listMutants('a.ts', code).map((mutant) => applyMutant(code, mutant));
    expect(results.toSorted()).toEqual(mutated.toSorted());
  });

  test('returns the location of each mutant', () => {
    expect(listMutants('a.ts', 'let y;\n  if (a > b) y = 1;\n')).toContainEqual({
      file: 'a.ts',
      line: 2,
      start: 15,
      end: 16,
      operator: 'operator',
      original: '>',
      replacement: '>=',
      context: 'if (a > b) y = 1;',
    });
  });
});

test('reachingTests lists direct and indirect importers of a file, nearest first', () => {
  const files = new Map([
    ['packages/core/src/a.ts', ''],
    ['packages/core/src/b.ts', "import './a.ts';"],
    ['packages/core/src/b.test.ts', "import './b.ts';"],
    ['packages/harness/src/c.test.ts', "import '@catalog/core/b'; import './none.ts';"],
    ['packages/core/src/a.test.ts', "import './a.ts';"],
    ['packages/core/src/types.test.ts', "import type { A } from './a.ts';"],
  ]);
  expect(reachingTests(files).get('packages/core/src/a.ts')).toEqual([
    'packages/core/src/a.test.ts',
    'packages/core/src/b.test.ts',
    'packages/harness/src/c.test.ts',
  ]);
});
