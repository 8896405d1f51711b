import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decideCoverage, type Coverage } from '../tests/requirements/decide-coverage.ts';
import { getResults, type RunResults } from '../tests/requirements/results.ts';
import { requirementRows } from '@catalog/testkit/requirement-rows';

const ROOT = join(import.meta.dirname, '..');
const MILESTONES = [...new Set(requirementRows.map((row) => row.milestone))];

/**
 * `./dev coverage [--milestone m] [--json]` reports which requirements the last complete test run
 * covers.
 */
function main(): number {
  const { values } = parseArgs({
    options: { milestone: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  const { milestone } = values;
  if (milestone !== undefined && !MILESTONES.includes(milestone)) {
    process.stderr.write(`no milestone "${milestone}"; there are ${MILESTONES.join(', ')}\n`);
    return 2;
  }
  const results = loadResults();
  const reports = (milestone === undefined ? MILESTONES : [milestone]).map((name) =>
    decideCoverage(requirementRows, results.outcomes, name),
  );
  if (values.json) printJson(reports);
  else printReport(reports, results);
  return milestone !== undefined && reports.some((report) => report.missing.length > 0) ? 1 : 0;
}

/** If the sources have changed since the last test run, runs the tests again. */
function loadResults(): RunResults {
  const before = getResults(ROOT);
  if (before.kind === 'fresh') return before.results;
  process.stderr.write(
    before.kind === 'none'
      ? 'No complete test run is recorded: running the tests.\n'
      : 'The recorded test run is of other sources: running the tests again.\n',
  );
  // The report goes to stdout, so the output of the test run goes to stderr.
  spawnSync(join(ROOT, 'dev'), ['test', '--all'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  const after = getResults(ROOT);
  if (after.kind === 'fresh') return after.results;
  throw new Error(
    'The test run left no results for these sources; run ./dev test --all and look at it.',
  );
}

function printJson(reports: readonly Coverage[]): void {
  const answers = reports.map(({ milestone, covered, total, missing }) => ({
    milestone,
    covered,
    total,
    missing: missing.map((row) => row.id),
  }));
  process.stdout.write(`${JSON.stringify(answers.length === 1 ? answers[0] : answers, null, 2)}\n`);
}

function printReport(reports: readonly Coverage[], results: RunResults): void {
  const minutes = Math.round((Date.now() - Date.parse(results.finished_at)) / 60_000);
  const lines = [
    `From the test run of ${results.finished_at} (${minutes} min ago), same sources.`,
    '',
  ];
  for (const report of reports) {
    lines.push(`${report.milestone}: ${report.covered} of ${report.total}`);
    if (reports.length > 1) continue;
    for (const area of report.areas) lines.push(`  ${area.area}: ${area.covered} of ${area.total}`);
    for (const row of report.missing) {
      lines.push('', `  ${row.id} (${row.reason})`, `    ${row.requirement}`);
    }
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

process.exitCode = main();
