import { inParallel } from '@catalog/core/in-parallel';
import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allStressTests } from '../tests/stress/all-stress-tests.ts';
import type {
  Shrunk,
  StressResult,
  StressSession,
  StressTest,
} from '../tests/stress/stress-test.ts';
import { copyTree } from './mutation/copy-tree.ts';
import { applyMutant } from './mutation/mutant.ts';
import { readPlantedBugs, toMutant } from './mutation/planted-bugs.ts';
import { PROGRAMS } from './services/folders.ts';
import { provideServers } from './services/provide-servers.ts';
import { sharedEnvironment } from './services/shared-servers.ts';
import { loadSources } from './syntax/load-sources.ts';

const ROOT = join(import.meta.dirname, '..');
const WORKER = 'tests/stress/worker.ts';
const folders = new Set<string>();
let stopServers = async (): Promise<void> => undefined;

/** Time limit of one history. */
const TIMEOUT_MS = 60_000;

const STOP_TIMEOUT_MS = 10_000;

const PROGRESS_MS = 30_000;

/**
 * `./dev stress <name> [--n N | --small] [--seed S] [--json]` runs one stress test. `--replay
 * <seed>` shrinks one failed history. `--bugs` plants each bug of the test's list (with `--only
 * <id>`, one of them) and checks that the test finds it. `./dev stress --small` runs every test
 * that has a small size.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      n: { type: 'string' },
      seed: { type: 'string', default: randomUUID().slice(0, 8) },
      json: { type: 'boolean', default: false },
      small: { type: 'boolean', default: false },
      workers: { type: 'string' },
      replay: { type: 'string' },
      bugs: { type: 'boolean', default: false },
      only: { type: 'string' },
    },
  });
  const seed = toSeed(values.seed);
  if (values.small && positionals.length === 0) return runAllSmall(seed);
  const test = allStressTests.find(({ name }) => name === positionals[0]);
  if (test === undefined) {
    const names = allStressTests.map(({ name, summary }) => `  ${name}: ${summary}`).join('\n');
    process.stderr.write(`Usage: ./dev stress <name>. Stress tests:\n${names}\n`);
    return 2;
  }
  const unavailable = test.unavailable?.();
  if (unavailable !== undefined) {
    process.stdout.write(`${test.name}: skipped: ${unavailable}\n`);
    return 0;
  }
  const size = (values.small ? test.small_n : values.bugs ? test.bug_n : undefined) ?? test.n;
  const n = values.n === undefined ? size : Number(values.n);
  const workers = Number(
    values.workers ?? Math.min(availableParallelism(), test.max_workers ?? Infinity),
  );
  if (![n, workers].every((count) => Number.isInteger(count) && count > 0)) {
    process.stderr.write('--n and --workers must be positive integers.\n');
    return 2;
  }
  if (values.bugs && test.bugs === undefined) {
    process.stderr.write(`${test.name} has no planted bugs.\n`);
    return 2;
  }
  return withPreparation([test], async () => {
    if (values.replay !== undefined) return replay(test, values.replay, n);
    const run = { n, seed, workers, json: values.json };
    process.stderr.write(`${test.name}: ${n}, seed ${seed}\n`);
    return values.bugs ? findBugs(test, run, values.only) : runTest(test, run);
  });
}

async function withPreparation(
  tests: readonly StressTest[],
  work: () => Promise<number>,
): Promise<number> {
  if (tests.some(({ is_built }) => is_built === true)) {
    const build = [...process.execArgv, join(ROOT, 'tools/build.ts')];
    execFileSync(process.execPath, build, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (tests.some(({ servers }) => servers === true)) stopServers = await provideServers();
  try {
    return await work();
  } finally {
    await stopServers();
  }
}

/** Most small tests mainly wait. */
const PARALLEL = 2;

async function runAllSmall(seed: string): Promise<number> {
  const tests = allStressTests.filter(({ small_n }) => small_n !== undefined);
  const failed: string[] = [];
  const run = async (test: StressTest): Promise<void> => {
    const n = test.small_n ?? test.n;
    const code = await runTest(test, { n, seed, workers: 1, json: false });
    if (code !== 0) failed.push(test.name);
  };
  return withPreparation(tests, async () => {
    await inParallel(
      tests.filter(({ alone }) => alone !== true),
      { parallel: PARALLEL },
      run,
    );
    for (const test of tests.filter(({ alone }) => alone === true)) await run(test);
    for (const name of failed) process.stdout.write(`failed ${name}\n`);
    process.stdout.write(`${tests.length - failed.length} passed, ${failed.length} failed\n`);
    return failed.length === 0 ? 0 : 1;
  });
}

/** Failures of the seed `commit` are reproducible, and the next commit uses other histories. */
function toSeed(seed: string): string {
  if (seed !== 'commit') return seed;
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
}

interface Run {
  n: number;
  seed: string;
  workers: number;
  json: boolean;
}

interface Total {
  histories: number;
  counts: Map<string, number>;
  notes: readonly string[];
  failed?: { seed: string; problems: string[] };
}

async function runTest(test: StressTest, run: Run): Promise<number> {
  const started = performance.now();
  const total = await runHistories(test, ROOT, run);
  const seconds = (performance.now() - started) / 1000;
  const { histories, counts, notes, failed } = total;
  const violations = failed === undefined ? 0 : 1;
  if (run.json) {
    const { seed } = run;
    const report = { name: test.name, seed, histories, ...Object.fromEntries(counts), violations };
    process.stdout.write(`${JSON.stringify({ ...report, seconds, notes, failed }, null, 2)}\n`);
  } else {
    const parts = [
      histories === 1 ? '1 history' : `${histories} histories`,
      ...[...counts].map(([name, count]) => `${count} ${name}`),
    ];
    process.stdout.write(
      `${test.name} (seed ${run.seed}): ${parts.join(', ')} in ${seconds.toFixed(0)} s: ` +
        `${violations === 0 ? '0 violations' : '1 violation, stopped'}\n`,
    );
    if (failed === undefined) for (const note of notes) process.stdout.write(`  ${note}\n`);
    if (failed !== undefined) {
      process.stdout.write(`History ${failed.seed}: ${failed.problems.join('\n')}\n`);
      // Histories with a size take minutes, and killed processes behave differently each time, so
      // they are not replayed.
      if (test.histories === undefined) await replay(test, failed.seed, run.n);
    }
  }
  return violations;
}

async function runHistories(test: StressTest, root: string, run: Run): Promise<Total> {
  const { n, seed, workers } = run;
  const histories = test.histories ?? n;
  const total: Total = { histories: 0, counts: new Map(), notes: [] };
  let next = 0;
  let reportedAt = performance.now();
  const folder = makeFolder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
  folders.add(folder);
  try {
    await Promise.all(
      Array.from({ length: Math.min(workers, histories) }, async (_, index) => {
        const worker = await startWorker(test, root, join(folder, String(index)), n);
        try {
          while (next < histories && total.failed === undefined) {
            const own = test.histories === 1 ? seed : `${seed}-${next}`;
            next += 1;
            add(total, own, await playIn(worker, own, test.timeout_ms));
            if (performance.now() - reportedAt >= PROGRESS_MS) {
              reportedAt = performance.now();
              process.stderr.write(`${total.histories} of ${histories}\n`);
            }
          }
        } finally {
          await stopWorker(worker);
        }
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
    folders.delete(folder);
  }
  return total;
}

/** PostgreSQL runs as another user and must be able to enter the folder. */
function makeFolder(base: string): string {
  const folder = mkdtempSync(join(base, 'catalog-stress-'));
  chmodSync(folder, 0o711);
  return folder;
}

function add(total: Total, seed: string, { counts, problems, notes }: StressResult): void {
  total.histories += 1;
  total.notes = notes ?? total.notes;
  for (const [name, count] of Object.entries(counts)) {
    total.counts.set(name, (total.counts.get(name) ?? 0) + count);
  }
  if (problems.length > 0) total.failed ??= { seed, problems };
}

async function startWorker(
  test: StressTest,
  root: string,
  folder: string,
  size: number,
): Promise<ChildProcess> {
  const worker = fork(join(root, WORKER), [test.name, folder, String(size)], {
    cwd: root,
    // A copy of the tree uses the programs and servers of the original.
    env: { ...sharedEnvironment(), ...process.env, CATALOG_TEST_PROGRAMS: PROGRAMS },
    execArgv: ['--conditions=@catalog/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
  if (message !== 'ready') throw new Error('The worker did not start.');
  return worker;
}

async function stopWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const exit = once(worker, 'exit');
  const timer = setTimeout(() => worker.kill('SIGKILL'), STOP_TIMEOUT_MS);
  if (worker.connected) worker.disconnect();
  await exit;
  clearTimeout(timer);
}

async function playIn(
  worker: ChildProcess,
  seed: string,
  timeout_ms = TIMEOUT_MS,
): Promise<StressResult> {
  const ended = new AbortController();
  const { signal } = ended;
  const failed = (problem: string): StressResult => ({ counts: {}, problems: [problem] });
  const answer = once(worker, 'message', { signal }).then(([result]): StressResult => result);
  const exit = once(worker, 'exit', { signal }).then(() => failed('the worker ended'));
  const timeout = new Promise<StressResult>((resolve) => {
    const timer = setTimeout(() => resolve(failed('the history does not end')), timeout_ms);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
  worker.send(seed);
  try {
    return await Promise.race([answer, exit, timeout]);
  } finally {
    for (const promise of [answer, exit]) promise.catch(() => undefined);
    ended.abort();
  }
}

async function replay(test: StressTest, seed: string, size: number): Promise<number> {
  const folder = makeFolder(tmpdir());
  const session = test.open(folder, size);
  try {
    const shrunk = await (session.shrink?.(seed) ?? playAgain(session, seed));
    if (shrunk === undefined) {
      process.stdout.write(`History ${seed}: no violation\n`);
      return 0;
    }
    const lines = [
      `Violation in history ${seed}:`,
      ...shrunk.problems.map((problem) => `  ${problem}`),
      ...(shrunk.steps.length === 0 ? [] : ['Shortest history that fails:']),
      ...shrunk.steps.map((step) => `  ${step}`),
      `Replay: ./dev stress ${test.name} --replay ${seed}`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return 1;
  } finally {
    await session.close?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playAgain(session: StressSession, seed: string): Promise<Shrunk | undefined> {
  const { problems } = await session.play(seed);
  return problems.length === 0 ? undefined : { steps: [], problems };
}

async function findBugs(test: StressTest, run: Run, only: string | undefined): Promise<number> {
  const files = loadSources(ROOT, ['packages']);
  const bugs = readPlantedBugs(join(ROOT, test.bugs ?? '')).filter(
    ({ id }) => only === undefined || id === only,
  );
  const tree = copyTree(ROOT);
  const found: { id: string; histories: number; problem: string }[] = [];
  const missed: string[] = [];
  const remove = (): void => rmSync(tree, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    for (const bug of bugs) {
      const path = join(tree, bug.file);
      const text = files.get(bug.file) ?? '';
      writeFileSync(path, applyMutant(text, toMutant(bug, files)));
      const { histories, failed } = await runHistories(test, tree, run);
      writeFileSync(path, text);
      const problem = failed?.problems[0]?.split('\n')[0];
      if (problem === undefined) missed.push(bug.id);
      else found.push({ id: bug.id, histories, problem });
      if (run.json) continue;
      const verdict =
        problem === undefined ? 'NOT FOUND' : `found after ${histories} histories: ${problem}`;
      process.stdout.write(`${bug.id} ${bug.bug}\n   ${verdict}\n`);
    }
  } finally {
    remove();
  }
  if (run.json) process.stdout.write(`${JSON.stringify({ found, missed }, null, 2)}\n`);
  else process.stdout.write(`${found.length} of ${bugs.length} found\n`);
  return missed.length === 0 ? 0 : 1;
}

// Workers exit with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    void stopServers().finally(() => process.exit(1));
  });
}
process.exitCode = await main();
