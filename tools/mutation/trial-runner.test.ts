import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TrialRunner } from './trial-runner.ts';
import type { TrialAnswer } from './worker.ts';

const ROOT = join(import.meta.dirname, '../..');
const ONE = {
  file: 'packages/contract/src/version.ts',
  test: 'packages/contract/src/version.test.ts',
};
const OTHER = { file: 'tools/seeded-random.ts', test: 'tools/seeded-random.test.ts' };

let runner: TrialRunner;
beforeAll(() => {
  runner = new TrialRunner(ROOT);
});
afterAll(() => {
  runner.close();
  expect(existsSync(runner.tree)).toBe(false);
});

async function tryChange(
  { file, test: testFile }: typeof ONE,
  change: (text: string) => string,
  timeoutMs = 60_000,
): Promise<TrialAnswer | 'timeout'> {
  const original = readFileSync(join(ROOT, file), 'utf8');
  return runner.run({ file, text: change(original), groups: [[testFile]] }, original, timeoutMs);
}

const unchanged = (text: string): string => text;
const passed = { failed: false, failures: [] };

test('runs every trial independently of earlier trials', { timeout: 120_000 }, async () => {
  expect(await tryChange(ONE, unchanged)).toEqual(passed);
  expect(await tryChange(ONE, (text) => text.replace('0.4.0', '0.0.0'))).toEqual({
    failed: true,
    failures: [ONE.test],
  });
  expect(await tryChange(OTHER, unchanged)).toEqual(passed);
  expect(
    await tryChange(ONE, (text) => `${text}\nthrow new Error('does not load');`),
  ).toMatchObject({
    failed: true,
  });
  expect(await tryChange(ONE, unchanged)).toEqual(passed);
  expect(await tryChange(OTHER, (text) => `${text}\nfor (;;);`, 2_000)).toBe('timeout');
  expect(await tryChange(OTHER, unchanged)).toEqual(passed);
});

test('keeps the original tree unchanged', () => {
  expect(runner.tree.startsWith(ROOT)).toBe(false);
  expect(readFileSync(join(ROOT, ONE.file), 'utf8')).toContain('0.4.0');
});
