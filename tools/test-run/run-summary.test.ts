import { expect, test } from 'vitest';
import { listRepeatable, mergeSummaries, type RunSummary } from './run-summary.ts';

const SLOW = 'tests/slow.test.ts';
const BROKEN = 'tests/broken.test.ts';

function summary(given: Partial<RunSummary>): RunSummary {
  return { passed: {}, failed: [], skipped: [], ...given };
}

const first = summary({
  passed: { 'tests/fine.test.ts': 7, [SLOW]: 2, [BROKEN]: 1 },
  failed: [
    { file: SLOW, text: `${SLOW}: waits` },
    { file: BROKEN, text: `${BROKEN}: adds` },
    { file: BROKEN, text: `${BROKEN}: subtracts` },
  ],
  skipped: ['tests/fine.test.ts: on Windows', `${SLOW}: with a keychain`],
});

test('a second run repeats each file with a failed test', () => {
  expect(listRepeatable(first)).toEqual([SLOW, BROKEN]);
});

test('a second run repeats no file after an error outside any test', () => {
  const failed = [...first.failed, { text: 'outside any test: lost connection' }];
  expect(listRepeatable({ ...first, failed })).toEqual([]);
});

test('repeats no file if many failed', () => {
  const files = (count: number): RunSummary =>
    summary({
      failed: Array.from({ length: count }, (_, n) => ({ file: `${n}.test.ts`, text: 'fails' })),
    });
  expect(listRepeatable(files(20))).toHaveLength(20);
  expect(listRepeatable(files(21))).toEqual([]);
});

test('the results of a second run replace those of the first for each file', () => {
  const again = summary({
    passed: { [SLOW]: 3, [BROKEN]: 2 },
    failed: [{ file: BROKEN, text: `${BROKEN}: adds` }],
    skipped: [`${SLOW}: with a keychain`],
  });
  expect(mergeSummaries(first, again, [SLOW, BROKEN])).toEqual({
    passed: { 'tests/fine.test.ts': 7, [SLOW]: 3, [BROKEN]: 2 },
    failed: [{ file: BROKEN, text: `${BROKEN}: adds` }],
    skipped: ['tests/fine.test.ts: on Windows', `${SLOW}: with a keychain`],
  });
});
