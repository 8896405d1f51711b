import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyMutant } from '../../../tools/mutation/mutant.ts';
import { readPlantedBugs, toMutant } from '../../../tools/mutation/planted-bugs.ts';
import { loadSources } from '../../../tools/syntax/load-sources.ts';

const ROOT = join(import.meta.dirname, '../../..');
const BUGS = join(import.meta.dirname, 'planted-bugs.json');

test('every planted bug still applies to the migrations', () => {
  const files = loadSources(ROOT, ['packages']);
  const bugs = readPlantedBugs(BUGS);
  expect(bugs.map(({ id }) => id)).toEqual(['01', '02', '03']);
  for (const bug of bugs) {
    const text = files.get(bug.file) ?? '';
    expect(applyMutant(text, toMutant(bug, files)), bug.id).not.toBe(text);
  }
});
