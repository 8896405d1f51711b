import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getResults, saveResults } from './results.ts';

const ROOT = join(import.meta.dirname, '../..');
const VERIFIES = join(import.meta.dirname, '../../packages/testkit/src/verifies.ts');
const WENT_THROUGH = join(ROOT, 'packages/testkit/src/entry-points.ts');

const PROJECT = {
  'tests/states.test.ts': `
    import { expect, test } from 'vitest';
    import { verifies } from '${VERIFIES}';
    import { recordEntryPoint } from '${WENT_THROUGH}';
    verifies('HA-01', 'passes', () => {});
    verifies(['HA-02', 'HA-03'], 'fails', () => { expect(1).toBe(2); });
    verifies('HA-04', 'is skipped', ({ skip }) => { skip('no such machine'); });
    verifies('CLI-01', 'goes through a door', async () => {
      await Promise.resolve();
      recordEntryPoint('packed-program');
    });
    test('claims nothing', () => {});
  `,
  'tests/unknown.test.ts': `
    import { verifies } from '${VERIFIES}';
    verifies('HA-00', 'is no row', () => {});
  `,
};

let folder: string;

function runVitest(...words: string[]): { output: string; status: number | null } {
  return runVitestWith({}, ...words);
}

function runVitestWith(
  env: Readonly<Record<string, string>>,
  ...words: string[]
): { output: string; status: number | null } {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--root',
      folder,
      '--config',
      join(ROOT, 'vitest.config.ts'),
      `--reporter=${join(ROOT, 'tools/counting-reporter.ts')}`,
      `--reporter=${join(ROOT, 'tests/requirements/reporter.ts')}`,
      ...words,
    ],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...env } },
  );
  return { output: `${stdout}${stderr}`, status };
}

beforeAll(() => {
  // The folder is inside the repository, so that the files can import vitest.
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  folder = mkdtempSync(join(ROOT, '.cache/reporter-'));
  mkdirSync(join(folder, 'tests'));
  for (const [path, text] of Object.entries(PROJECT)) writeFileSync(join(folder, path), text);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a test run', () => {
  test('leaves no results if it is filtered', () => {
    const { output } = runVitest('states');
    expect(output).toContain('3 passed, 1 failed');
    expect(getResults(folder).kind).toBe('none');
  });

  test('counts files that failed to load, and keeps the requirements of each test', () => {
    const { output, status } = runVitest();
    expect(status).not.toBe(0);
    expect(output.trimEnd().split('\n').at(-1)).toBe('3 passed, 2 failed');
    expect(output).toContain('no such machine');
    const results = getResults(folder);
    if (results.kind !== 'fresh') throw new Error(results.kind);
    const outcomes = results.results.outcomes.map(({ verifies, state, through }) => ({
      verifies,
      state,
      through,
    }));
    expect(outcomes).toEqual([
      { verifies: ['HA-01'], state: 'passed', through: [] },
      { verifies: ['HA-02', 'HA-03'], state: 'failed', through: [] },
      { verifies: ['HA-04'], state: 'skipped', through: [] },
      { verifies: ['CLI-01'], state: 'passed', through: ['packed-program'] },
    ]);
  });

  test('that repeats files replaces only the outcomes of these files', () => {
    const before = getResults(folder);
    if (before.kind !== 'fresh') throw new Error(before.kind);
    const other = { ...before.results.outcomes[0]!, file: 'tests/other.test.ts' };
    const wrong = before.results.outcomes.map((outcome) => ({
      ...outcome,
      state: 'skipped' as const,
    }));
    saveResults(folder, [...wrong, other], new Date());
    runVitestWith({ CATALOG_TEST_REPEATS: '1' }, 'states');
    const after = getResults(folder);
    if (after.kind !== 'fresh') throw new Error(after.kind);
    expect(after.results.outcomes).toEqual([other, ...before.results.outcomes]);
  });

  test('is stale after a change of a source file', () => {
    const path = join(folder, 'tests/states.test.ts');
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n// changed\n`);
    expect(getResults(folder).kind).toBe('stale');
  });
});
