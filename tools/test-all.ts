import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  listRepeatable,
  mergeSummaries,
  printSummary,
  type RunSummary,
} from './test-run/run-summary.ts';

const ROOT = join(import.meta.dirname, '..');

/** Only a run of all tests on the default back ends updates the requirements. */
const REQUIREMENTS =
  process.env['CATALOG_TEST_BACKEND'] === undefined
    ? ['--reporter=./tests/requirements/reporter.ts']
    : [];

/**
 * `./dev test --all` and `./dev test-standard` run all or some tests. Files with a failed test run
 * a second time, sequentially, when no other test is running. Each file that passes only then is
 * printed with its first failure.
 */
function main(filters: readonly string[]): number {
  const first = runTests(filters, {});
  const files = listRepeatable(first.summary);
  if (first.exit === 0 || files.length === 0) {
    printSummary(first.summary);
    return first.exit;
  }
  process.stdout.write(`\nRunning failed files again, alone: ${files.join(' ')}\n`);
  const again = runTests(files, {
    CATALOG_TEST_WORKERS: '1',
    CATALOG_TEST_REPEATS: '1',
    // On the disk, which has the same limits as for users.
    TMPDIR: tmpdir(),
  });
  const stillFailing = new Set(again.summary.failed.map(({ file }) => file));
  for (const { file, text } of first.summary.failed) {
    const isAlone = again.exit === 0 || (file !== undefined && !stillFailing.has(file));
    if (isAlone) process.stdout.write(`passed only when run alone: ${text}\n`);
  }
  printSummary(mergeSummaries(first.summary, again.summary, files));
  return again.exit;
}

interface TestRun {
  exit: number;
  summary: RunSummary;
}

function runTests(filters: readonly string[], env: Readonly<Record<string, string>>): TestRun {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-tests-'));
  const path = join(folder, 'summary.json');
  try {
    const { status } = spawnSync(
      process.execPath,
      [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        '--reporter=default',
        '--reporter=./tools/counting-reporter.ts',
        ...REQUIREMENTS,
        ...filters,
      ],
      {
        cwd: ROOT,
        env: { ...process.env, ...env, CATALOG_TEST_SUMMARY: path },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const summary: RunSummary = JSON.parse(readFileSync(path, 'utf8'));
    return { exit: status ?? 1, summary };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = main(process.argv.slice(2));
