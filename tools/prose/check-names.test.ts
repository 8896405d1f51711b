import { expect, test } from 'vitest';
import { loadSource } from '../syntax/source-file.ts';
import { checkNames } from './check-names.ts';

const findings = (source: string, path = 'a.ts'): string[] =>
  checkNames(loadSource(path, source)).map(({ words }) => words);

test('checkNames reports constants, functions, types and parameters', () => {
  expect(findings('const MOST_ROWS = 1;')).toEqual(['MOST_ROWS']);
  expect(findings('function tellOthers(nobody: string) {}')).toEqual(['tellOthers', 'nobody']);
  expect(findings('const f = ({ a: asked, ...said }) => 1;')).toEqual(['asked', 'said']);
  expect(findings('class Neighbourhood {}\ninterface Told {}\ntype Heard = 1;')).toHaveLength(3);
  expect(findings('const [begun, [beside] = []] = a;')).toEqual(['begun', 'beside']);
});

test('checkNames reports the name of the file', () => {
  expect(findings('', 'server/src/config/elsewhere.ts')).toEqual(['elsewhere.ts']);
});

test('checkNames ignores keys, strings and words that contain a forbidden part', () => {
  expect(findings("const a = { asked: 'nobody' };\nconst almost = a.asked;")).toEqual([]);
  expect(findings('const { asked } = a;')).toEqual([]);
  expect(findings('interface A { told: string }')).toEqual([]);
});

test('checkNames ignores scripts that catalog writes into workspaces', () => {
  expect(findings('const asked = 1;', 'hook-plugin.mjs')).toEqual([]);
});

test('checkNames reports the line and the column', () => {
  expect(checkNames(loadSource('a.ts', 'const a = 1;\nconst told = 2;'))).toMatchObject([
    { line: 2, column: 7 },
  ]);
});
