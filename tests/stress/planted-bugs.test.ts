import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applyMutant } from '../../tools/mutation/mutant.ts';
import { readPlantedBugs, toMutant } from '../../tools/mutation/planted-bugs.ts';
import { loadSources } from '../../tools/syntax/load-sources.ts';
import { allStressTests } from './all-stress-tests.ts';

const ROOT = join(import.meta.dirname, '../..');

const tests = allStressTests.flatMap(({ name, bugs }) =>
  bugs === undefined ? [] : [{ name, bugs }],
);

test.each(tests)('each planted bug of the stress test $name still applies', ({ bugs }) => {
  const files = loadSources(ROOT, ['packages']);
  const planted = readPlantedBugs(join(ROOT, bugs));
  const count = planted.length;
  expect(count).toBeGreaterThan(0);
  // The numbers of each series, such as 01 and M01, are consecutive.
  const series = Object.values(Object.groupBy(planted, ({ id }) => id.replace(/\d+$/, '')));
  expect(series.flatMap((bugs) => bugs?.map(({ id }) => id.replace(/^\D+/, '')) ?? [])).toEqual(
    series.flatMap((bugs) => bugs?.map((_, index) => String(index + 1).padStart(2, '0')) ?? []),
  );
  for (const bug of planted) {
    const text = files.get(bug.file) ?? '';
    expect(applyMutant(text, toMutant(bug, files)), bug.id).not.toBe(text);
  }
});
