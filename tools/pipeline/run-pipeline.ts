import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { listRunning, stopShared } from '../services/shared-servers.ts';
import type { Lane, Step } from './step.ts';

const ROOT = join(import.meta.dirname, '../..');

interface StepResult {
  name: string;
  seconds: number;
  passed: number;
  failed: number;
  /** One per failure and per test that passed only on the second run. */
  notes: readonly string[];
}

const running = new Set<ChildProcess>();
/** Set by a signal: no more steps start, but the servers still stop. */
let isInterrupted = false;

/**
 * Prints `N passed, N failed` at the end, and stops every process and server that it started. Returns
 * the exit code.
 */
export async function runPipeline(steps: readonly Step[]): Promise<number> {
  /** Servers that were already running belong to the user. */
  const others: ReadonlySet<string> = new Set(listRunning());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isInterrupted = true;
      for (const child of running) stopGroup(child);
    });
  }
  const started = performance.now();
  try {
    const results = await runSteps(steps);
    return printSummary(results, (performance.now() - started) / 1000);
  } finally {
    await stopShared(listRunning().filter((name) => !others.has(name)));
  }
}

async function runSteps(steps: readonly Step[]): Promise<StepResult[]> {
  const results: StepResult[] = [];
  const inBackground = new Map<string, Promise<void>>();
  /** Printed between two other steps. */
  let waiting = '';
  const lanes = new Map<Lane, Promise<void>>();
  const flush = (): void => {
    process.stdout.write(waiting);
    waiting = '';
  };
  async function waitFor({ after = [], alone }: Step): Promise<void> {
    for (const name of after) {
      const ended = inBackground.get(name);
      if (ended === undefined) throw new Error(`"${name}" is not a background step.`);
      await ended;
    }
    if (alone === true) await Promise.all(lanes.values());
  }
  async function runInBackground(step: Step, before: readonly Promise<void>[]): Promise<void> {
    await Promise.all(before);
    if (isInterrupted) return;
    let output = '';
    const result = await runStep(step, (text) => (output += text));
    results.push(result);
    waiting += `${formatStart(step)}${output}${formatEnd(result)}`;
  }
  for (const step of steps) {
    if (isInterrupted) break;
    if (step.lane !== undefined) {
      const before = [waitFor(step), lanes.get(step.lane) ?? Promise.resolve()];
      const ended = runInBackground(step, before);
      lanes.set(step.lane, ended);
      inBackground.set(step.name, ended);
      continue;
    }
    await waitFor(step);
    flush();
    process.stdout.write(formatStart(step));
    const result = await runStep(step, (text) => process.stdout.write(text));
    process.stdout.write(formatEnd(result));
    results.push(result);
  }
  await Promise.all(lanes.values());
  flush();
  return results;
}

function formatStart({ name, command }: Step): string {
  return `\n== ${name}: ${command.join(' ')}\n`;
}

function formatEnd({ name, failed, seconds }: StepResult): string {
  return `== ${name}: ${failed === 0 ? 'ok' : 'FAILED'} in ${seconds.toFixed(1)} s\n`;
}

function printSummary(results: readonly StepResult[], seconds: number): number {
  process.stdout.write('\n');
  for (const { name, seconds: own, failed, notes } of results) {
    process.stdout.write(
      `${failed === 0 ? 'ok    ' : 'FAILED'} ${own.toFixed(1).padStart(6)} s  ${name}\n`,
    );
    for (const note of notes) process.stdout.write(`           ${note}\n`);
  }
  process.stdout.write(`       ${seconds.toFixed(1).padStart(6)} s  in total\n`);
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 && !isInterrupted ? 0 : 1;
}

/** The end of the output contains the counts and failures of a step. */
const TAIL_CHARACTERS = 50_000;

/** Uses a separate process group, so that all of its processes can be killed. */
async function runStep(
  { name, command }: Step,
  write: (text: string) => unknown,
): Promise<StepResult> {
  const started = performance.now();
  const [program = '', ...words] = command;
  const child = spawn(program, words, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      write(text);
      if (stream === child.stdout) tail = (tail + text).slice(-TAIL_CHARACTERS);
    });
  }
  const [code] = await once(child, 'close');
  stopGroup(child);
  running.delete(child);
  const seconds = (performance.now() - started) / 1000;
  const notes = tail
    .split('\n')
    .filter((line) => /^(?:failed |passed only when run alone: )/.test(line));
  const counts = [...tail.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1);
  const passed = counts ? Number(counts[1]) : Number(code === 0);
  const failed = counts ? Number(counts[2]) : Number(code !== 0);
  // A run that exits with an error after its last count has failed.
  return { name, seconds, passed, failed: failed === 0 && code !== 0 ? 1 : failed, notes };
}

function stopGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Every process in the group has exited.
  }
}
