import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { expect, test } from 'vitest';
import type { Step } from './step.ts';

function run(steps: readonly Step[]): { status: number | null; lines: string[] } {
  const module = pathToFileURL(join(import.meta.dirname, 'run-pipeline.ts')).href;
  const program = `
    const { runPipeline } = await import(${JSON.stringify(module)});
    process.exitCode = await runPipeline(${JSON.stringify(steps)});
  `;
  const words = ['--conditions=@catalog/source', '--input-type=module', '-e', program];
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  return { status, lines: stdout.split('\n').filter((line) => line !== '') };
}

function step(name: string, script: string, more: Partial<Step> = {}): Step {
  return { name, command: ['bash', '-c', script], ...more };
}

test('adds up the counts of all steps and fails if a step failed', () => {
  const { status, lines } = run([
    step('tests', 'echo "5 passed, 1 failed"; exit 1'),
    step('lint', 'exit 0'),
    step('types', 'exit 3'),
    step('dies late', 'echo "2 passed, 0 failed"; exit 1'),
  ]);
  expect(lines.at(-1)).toBe('8 passed, 3 failed');
  expect(status).toBe(1);
});

test('lists failures and tests that passed only on the second run', () => {
  const { lines } = run([
    step(
      'tests',
      'echo "passed only when run alone: a"; echo "failed b"; echo "1 passed, 1 failed"',
    ),
    step('last', 'exit 0'),
  ]);
  const summary = lines.slice(lines.findIndex((line) => /^FAILED .* tests$/.test(line)));
  expect(summary.slice(1, 3).map((line) => line.trim())).toEqual([
    'passed only when run alone: a',
    'failed b',
  ]);
});

test('runPipeline runs background steps in parallel without mixing their output with that of other steps', () => {
  const { status, lines } = run([
    step('slow', 'echo slow 1; sleep 1; echo slow 2', { lane: 'waiting' }),
    step('slower', 'echo slower', { lane: 'waiting' }),
    step('quick', 'echo quick 1; sleep 0.3; echo quick 2'),
    step('last', 'echo last', { after: ['slower'] }),
  ]);
  expect(status).toBe(0);
  const printed = lines.filter((line) => /^(?:slow|slower|quick|last)\b/.test(line));
  expect(printed).toEqual(['quick 1', 'quick 2', 'slow 1', 'slow 2', 'slower', 'last']);
  expect(lines.at(-1)).toBe('4 passed, 0 failed');
});

test('runs lanes in parallel, and waits for all of them before a step that runs alone', () => {
  const folder = temporaryFolder();
  const until = (name: string): string => `until [ -e ${folder}/${name} ]; do sleep 0.01; done`;
  // Steps wait for each other, so they end only if both lanes run next to the other step.
  const { status, lines } = run([
    step('first', `touch ${folder}/first; ${until('second')}; ${until('next')}`, {
      lane: 'waiting',
    }),
    step('second', `touch ${folder}/second; ${until('first')}`, { lane: 'computing' }),
    step('third', `touch ${folder}/third`, { lane: 'computing', after: ['first'] }),
    step('next to them', `[ ! -e ${folder}/third ] && touch ${folder}/next`),
    step('alone', `[ -e ${folder}/third ]`, { alone: true }),
  ]);
  expect(lines.at(-1)).toBe('5 passed, 0 failed');
  expect(status).toBe(0);
});

test('kills processes that a step left behind', () => {
  const { lines } = run([step('leaves', 'sleep 300 >/dev/null 2>&1 & echo "pid $!"')]);
  const pid = Number(lines.find((line) => line.startsWith('pid '))?.slice(4));
  expect(pid).toBeGreaterThan(0);
  // A terminated process is a zombie until its parent waits for it.
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  expect(stdout.trim()).toMatch(/^(?:Z.*)?$/);
});
