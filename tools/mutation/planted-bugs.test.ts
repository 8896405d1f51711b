import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSources } from '../syntax/load-sources.ts';
import { applyMutant } from './mutant.ts';
import { readPlantedBugs, toMutant } from './planted-bugs.ts';

const ROOT = join(import.meta.dirname, '../..');
const LIST = join(import.meta.dirname, 'planted-bugs.json');
const files = loadSources(ROOT, ['packages', 'tests']);

test('every planted bug changes the code and lists existing tests', () => {
  const bugs = readPlantedBugs(LIST);
  expect(bugs.filter(({ id }) => typeof id !== 'string')).toEqual([]);
  expect(new Set(bugs.map(({ id }) => id)).size).toBe(bugs.length);
  for (const bug of bugs) {
    const text = files.get(bug.file) ?? '';
    expect(applyMutant(text, toMutant(bug, files)), bug.id).not.toBe(text);
    expect(bug.tests, bug.id).not.toEqual([]);
    for (const path of bug.tests) expect(files.has(path), `${bug.id}: ${path}`).toBe(true);
  }
});

test('toMutant throws if the code of a bug is missing or ambiguous', () => {
  const bug = {
    id: '1',
    requirement: 'VIEW-04',
    bug: 'It shows everything.',
    file: 'a.ts',
    search: 'return false;',
    replace: 'return true;',
    tests: ['a.test.ts'],
  };
  const plant = (text: string) => () => toMutant(bug, new Map([['a.ts', text]]));
  expect(plant('return 0;')).toThrow('bug 1 does not apply');
  expect(plant('return false; return false;')).toThrow('bug 1 does not apply');
  expect(plant('if (x)\n  return false;')()).toMatchObject({ start: 9, end: 22, line: 2 });
});
