import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseSync } from 'oxc-parser';
import { equivalentMutants } from './mutation/equivalents.ts';
import { listMutants } from './mutation/list-mutants.ts';
import { applyMutant, type Mutant, type MutantResult } from './mutation/mutant.ts';
import { readPlantedBugs, toMutant } from './mutation/planted-bugs.ts';
import { reachingTests } from './mutation/reaching-tests.ts';
import { TrialRunner } from './mutation/trial-runner.ts';
import { seededRandom } from './seeded-random.ts';
import { PROGRAMS } from './services/folders.ts';
import { provideServers } from './services/provide-servers.ts';
import { sharedEnvironment } from './services/shared-servers.ts';
import { loadSources } from './syntax/load-sources.ts';

const ROOT = join(import.meta.dirname, '..');
const GOAL_PERCENT = 85;
const NEAREST = 2;
/** Timeout of a mutant, above which it counts as hanging. */
const TIMEOUT_MS = 120_000;

/**
 * `./dev mutate [--n 200] [--seed S] [--json] [path]` changes the sources and expects tests to
 * fail. With `--by <test file>`, only that file runs and must find every mutant. `--list <file>`
 * plants handwritten bugs, and runs the tests listed for each; they must find every bug.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      n: { type: 'string', default: '200' },
      seed: { type: 'string', default: '1' },
      workers: { type: 'string', default: String(availableParallelism()) },
      json: { type: 'boolean', default: false },
      by: { type: 'string' },
      list: { type: 'string' },
    },
  });
  const files = loadSources(ROOT, ['packages', 'tests', 'tools']);
  for (const path of files.keys()) if (path.startsWith('tests/e2e/')) files.delete(path);
  const { mutants, testsOf, goal } =
    values.list === undefined
      ? chooseTrials(files, positionals, values)
      : chooseListed(files, values.list, values);
  if (mutants.length === 0) {
    process.stderr.write(`nothing to mutate under ${positionals.join(', ')}\n`);
    return 2;
  }
  const stopServers = await provideServers();
  try {
    // The tests run in copies of the tree, which share servers and programs with the original.
    const environment = { ...sharedEnvironment(), CATALOG_TEST_PROGRAMS: PROGRAMS };
    Object.assign(process.env, { ...environment, ...process.env });
    const results = await runMutants(mutants, files, testsOf, Number(values.workers));
    return report(results, { seed: values.seed, json: values.json, goal });
  } finally {
    await stopServers();
  }
}

interface Trials {
  mutants: readonly Mutant[];
  testsOf: TestsOf;
  goal: number;
}

type TestsOf = (mutant: Mutant) => readonly string[];

interface Sample {
  n: string;
  seed: string;
  by?: string | undefined;
}

function chooseTrials(
  files: ReadonlyMap<string, string>,
  under: readonly string[],
  { n, seed, by }: Sample,
): Trials {
  const mutants = chooseMutants(files, under, Number(n), seed);
  if (by !== undefined) return { mutants, testsOf: () => [by], goal: 100 };
  const reaching = reachingTests(files);
  return { mutants, testsOf: ({ file }) => reaching.get(file) ?? [], goal: GOAL_PERCENT };
}

function chooseListed(
  files: ReadonlyMap<string, string>,
  list: string,
  { n, seed }: Sample,
): Trials {
  const bugs = seededRandom(seed).shuffle(readPlantedBugs(list)).slice(0, Number(n));
  const tests = new Map(bugs.map((bug) => [toMutant(bug, files), bug.tests]));
  return { mutants: [...tests.keys()], testsOf: (mutant) => tests.get(mutant) ?? [], goal: 100 };
}

/** Chooses mutants of core and harness, or of the given files. */
function chooseMutants(
  files: ReadonlyMap<string, string>,
  under: readonly string[],
  n: number,
  seed: string,
): Mutant[] {
  const folders = under.length > 0 ? under : ['packages/core/src', 'packages/harness/src'];
  const all = [...files]
    .filter(([path]) => folders.some((folder) => path === folder || path.startsWith(`${folder}/`)))
    .filter(([path]) => !path.endsWith('.test.ts'))
    .flatMap(([path, text]) => listMutants(path, text).filter(isNotEquivalent));
  const chosen: Mutant[] = [];
  for (const mutant of seededRandom(seed).shuffle(all)) {
    if (chosen.length >= n) break;
    // A mutant that does not parse would always count as killed.
    if (parses(mutant.file, applyMutant(files.get(mutant.file) ?? '', mutant))) chosen.push(mutant);
  }
  return chosen;
}

function parses(path: string, text: string): boolean {
  return parseSync(path, text).errors.length === 0;
}

function isNotEquivalent(mutant: Mutant, at: number, ofFile: readonly Mutant[]): boolean {
  const isAlike = (other: Mutant): boolean =>
    other.line === mutant.line && changeOf(other) === changeOf(mutant);
  const place = ofFile.slice(0, at).filter(isAlike).length;
  return !equivalentMutants.some(
    ({ file, context, change, nth = 0 }) =>
      file === mutant.file &&
      context === mutant.context &&
      change === changeOf(mutant) &&
      nth === place,
  );
}

async function runMutants(
  mutants: readonly Mutant[],
  files: ReadonlyMap<string, string>,
  testsOf: TestsOf,
  workers: number,
): Promise<MutantResult[]> {
  const queue = [...mutants];
  const results: MutantResult[] = [];
  const runners = Array.from({ length: workers }, () => new TrialRunner(ROOT));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      for (const runner of runners) runner.close();
      process.exit(1);
    });
  }
  try {
    await checkUnchanged();
    await Promise.all(runners.map(async (runner) => work(runner)));
    await checkUnchanged();
  } finally {
    for (const runner of runners) runner.close();
  }
  return results;

  async function work(runner: TrialRunner): Promise<void> {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const result = await runMutant(runner, mutant, files.get(mutant.file) ?? '', testsOf);
      results.push(result);
      const by = result.killed_by === undefined ? '' : ` (${result.killed_by})`;
      const count = `${results.length}/${mutants.length}`;
      process.stderr.write(`${count} ${result.verdict} ${nameOf(mutant)}${by}\n`);
    }
  }

  /**
   * Tests that already fail would kill every mutant. Called before the first mutant, and at the end in
   * each runner in case a mutant left state behind.
   */
  async function checkUnchanged(): Promise<void> {
    const reached = [...new Set(mutants.flatMap(testsOf))];
    const file = mutants[0]?.file ?? '';
    const text = files.get(file) ?? '';
    const trial = { file, text, groups: [reached] };
    for (const runner of runners) {
      const answer = await runner.run(trial, text, 10 * TIMEOUT_MS);
      if (answer === 'timeout') throw new Error('The tests do not end without any mutant.');
      if (answer.failed) {
        throw new Error(`These tests fail without any mutant: ${answer.failures.join(', ')}`);
      }
    }
  }
}

async function runMutant(
  runner: TrialRunner,
  mutant: Mutant,
  original: string,
  testsOf: TestsOf,
): Promise<MutantResult> {
  const reaching = testsOf(mutant);
  if (reaching.length === 0) return { mutant, verdict: 'no-coverage' };
  const groups = [reaching.slice(0, NEAREST), reaching.slice(NEAREST)].filter(
    (group) => group.length > 0,
  );
  const trial = { file: mutant.file, text: applyMutant(original, mutant), groups };
  const answer = await runner.run(trial, original, TIMEOUT_MS);
  if (answer === 'timeout') return { mutant, verdict: 'timeout' };
  if (!answer.failed) return { mutant, verdict: 'survived' };
  return {
    mutant,
    verdict: 'killed',
    killed_by: answer.failures[0] ?? 'an error outside any test',
  };
}

function report(
  results: readonly MutantResult[],
  { seed, json, goal }: { seed: string; json: boolean; goal: number },
): number {
  const counts = { killed: 0, timeout: 0, survived: 0, 'no-coverage': 0 };
  for (const { verdict } of results) counts[verdict] += 1;
  const percent = (100 * (counts.killed + counts.timeout)) / results.length;
  const survivors = results
    .filter(({ verdict }) => verdict === 'survived' || verdict === 'no-coverage')
    .map(({ mutant, verdict }) => ({
      file: mutant.file,
      line: mutant.line,
      operator: mutant.operator,
      change: changeOf(mutant),
      context: mutant.context,
      verdict,
    }))
    .sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const met = percent >= goal;
  if (json) {
    const answer = {
      n: results.length,
      seed,
      ...counts,
      percent,
      goal,
      met,
      survivors,
    };
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
  } else {
    for (const survivor of survivors) {
      process.stdout.write(
        `${survivor.file}:${survivor.line} ${survivor.verdict}: ${survivor.change}\n    ${survivor.context}\n`,
      );
    }
    process.stdout.write(
      `${results.length} mutants (seed ${seed}): ${counts.killed} killed, ${counts.timeout} timed out, ` +
        `${counts.survived} survived, ${counts['no-coverage']} reached by no test: ` +
        `${percent.toFixed(1)} % (goal ${goal} %)\n`,
    );
  }
  return met ? 0 : 1;
}

function nameOf(mutant: Mutant): string {
  return `${mutant.file}:${mutant.line} ${changeOf(mutant)}`;
}

function changeOf(mutant: Mutant): string {
  return `${oneLine(mutant.original)} -> ${oneLine(mutant.replacement) || 'nothing'}`;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 77)}...` : line;
}

process.exitCode = await main();
