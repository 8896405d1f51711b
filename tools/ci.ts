import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { listRunning, stopShared } from './services/shared-servers.ts';

const ROOT = join(import.meta.dirname, '..');

/** A step; one that runs tests says how many in its last lines, any other counts as one. */
interface Step {
  name: string;
  command: string[];
}

interface StepResult {
  name: string;
  seconds: number;
  passed: number;
  failed: number;
  /** What failed, a line each, as far as the step names it. */
  failures: readonly string[];
}

/** Everything a change must pass, the quick first. `./dev` has installed before this starts. */
const steps: readonly Step[] = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.node.json'] },
  { name: 'prose', command: ['./dev', 'prose'] },
  { name: 'commits', command: ['./dev', 'commits'] },
  { name: 'build', command: ['./dev', 'build'] },
  { name: 'generated files', command: ['./dev', 'docs', '--check'] },
  {
    name: 'programs',
    command: [
      './dev',
      'services',
      'install',
      'helm',
      'dex',
      'chromium',
      'keyring',
      'tmux',
      'nginx',
      'caddy',
    ],
  },
  { name: 'services', command: ['./dev', 'services', 'up'] },
  { name: 'tests', command: ['./dev', 'test'] },
  { name: 'coverage', command: ['./dev', 'coverage', '--milestone', 'foundation'] },
  { name: 'coverage, registry', command: ['./dev', 'coverage', '--milestone', 'registry'] },
  { name: 'coverage, standard', command: ['./dev', 'coverage', '--milestone', 'standard'] },
  { name: 'coverage, identity', command: ['./dev', 'coverage', '--milestone', 'identity'] },
  { name: 'coverage, harness', command: ['./dev', 'coverage', '--milestone', 'harness'] },
  { name: 'coverage, mcp', command: ['./dev', 'coverage', '--milestone', 'mcp'] },
  { name: 'coverage, search', command: ['./dev', 'coverage', '--milestone', 'search'] },
  { name: 'coverage, web', command: ['./dev', 'coverage', '--milestone', 'web'] },
  { name: 'tests, standard', command: ['./dev', 'test-standard'] },
  {
    name: 'harness programs',
    command: ['./dev', 'harness-programs', 'claude-code', 'codex', 'skills-ref'],
  },
  {
    name: 'harness content',
    command: ['./dev', 'harness-programs', '--content', 'claude-code'],
  },
  { name: 'image', command: ['./dev', 'image'] },
  { name: 'fuzzing, small', command: ['./dev', 'schemathesis', '--small'] },
  { name: 'stress, small', command: ['./dev', 'stress', 'ownership', '--n', '150'] },
  { name: 'stress, trust', command: ['./dev', 'stress', 'trust', '--n', '60'] },
  { name: 'stress, ssrf', command: ['./dev', 'stress', 'ssrf', '--n', '150'] },
  {
    name: 'stress, rolling',
    command: ['./dev', 'stress', 'rolling', '--n', '2', '--workers', '1'],
  },
  // The first histories: each of the first dependencies refuses connections once.
  { name: 'stress, outage', command: ['./dev', 'stress', 'outage', '--n', '4'] },
  { name: 'stress, web', command: ['./dev', 'stress', 'web-hostile', '--n', '8'] },
  // The first history packs 0.4.0 and migrates under load.
  { name: 'stress, upgrade', command: ['./dev', 'stress', 'upgrade', '--n', '3'] },
  {
    name: 'stress, webhooks',
    command: ['./dev', 'stress', 'webhook-loss', '--n', '600'],
  },
  { name: 'figures, small', command: ['./dev', 'figure', '--small'] },
];

let running: ChildProcess | undefined;
/** The step that a signal ended has failed; no other follows, and the servers are still stopped. */
let interrupted = false;

/** Servers a person had running before are theirs to stop. */
const othersServers: ReadonlySet<string> = new Set(listRunning());

async function main(): Promise<number> {
  const results: StepResult[] = [];
  for (const step of steps) {
    if (interrupted) break;
    process.stdout.write(`\n== ${step.name}: ${step.command.join(' ')}\n`);
    const result = await runStep(step);
    const verdict = result.failed === 0 ? 'ok' : 'FAILED';
    process.stdout.write(`== ${step.name}: ${verdict} in ${result.seconds.toFixed(1)} s\n`);
    results.push(result);
  }
  process.stdout.write('\n');
  for (const { name, seconds, failed, failures } of results) {
    process.stdout.write(
      `${failed === 0 ? 'ok    ' : 'FAILED'} ${seconds.toFixed(1).padStart(6)} s  ${name}\n`,
    );
    for (const failure of failures) process.stdout.write(`           ${failure}\n`);
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** Where a step names its counts and what failed. */
const TAIL_CHARACTERS = 50_000;

/** Runs a step in a process group of its own, so that nothing it starts outlives it. */
async function runStep({ name, command }: Step): Promise<StepResult> {
  const started = performance.now();
  const [program = '', ...words] = command;
  running = spawn(program, words, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let tail = '';
  running.stdout?.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    tail = (tail + text).slice(-TAIL_CHARACTERS);
  });
  const [code] = await once(running, 'close');
  stopRunning();
  const seconds = (performance.now() - started) / 1000;
  const failures = tail.split('\n').filter((line) => line.startsWith('failed '));
  const counts = [...tail.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  const passed = counts ? Number(counts[1]) : Number(code === 0);
  const failed = counts ? Number(counts[2]) : Number(code !== 0);
  // A run that dies after its last count has not passed.
  return { name, seconds, passed, failed: failed === 0 && code !== 0 ? 1 : failed, failures };
}

async function stopServers(): Promise<void> {
  await stopShared(listRunning().filter((name) => !othersServers.has(name)));
}

function stopRunning(): void {
  const pid = running?.pid;
  running = undefined;
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty: everything ended by itself.
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted = true;
    stopRunning();
  });
}
try {
  process.exitCode = await main();
} finally {
  await stopServers();
}
