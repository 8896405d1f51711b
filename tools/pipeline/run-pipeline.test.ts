import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { Step } from './step.ts';

/** Runs steps in their own process; returns the status and the output. */
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

test('a pipeline adds up what its steps counted, and fails if one failed', () => {
  const { status, lines } = run([
    step('tests', 'echo "5 passed, 1 failed"; exit 1'),
    step('lint', 'exit 0'),
    step('types', 'exit 3'),
    step('dies late', 'echo "2 passed, 0 failed"; exit 1'),
  ]);
  expect(lines.at(-1)).toBe('8 passed, 3 failed');
  expect(status).toBe(1);
});

test('the summary names what failed, and what passed only when run alone', () => {
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

test('a background step runs next to others, and its output is not mixed with theirs', () => {
  const { status, lines } = run([
    step('slow', 'echo slow 1; sleep 1; echo slow 2', { background: true }),
    step('slower', 'echo slower', { background: true }),
    step('quick', 'echo quick 1; sleep 0.3; echo quick 2'),
    step('last', 'echo last', { after: ['slower'] }),
  ]);
  expect(status).toBe(0);
  const printed = lines.filter((line) => /^(?:slow|slower|quick|last)\b/.test(line));
  expect(printed).toEqual(['quick 1', 'quick 2', 'slow 1', 'slow 2', 'slower', 'last']);
  expect(lines.at(-1)).toBe('4 passed, 0 failed');
});

test('a step leaves no process behind', () => {
  const { lines } = run([step('leaves', 'sleep 300 >/dev/null 2>&1 & echo "pid $!"')]);
  const pid = Number(lines.find((line) => line.startsWith('pid '))?.slice(4));
  expect(pid).toBeGreaterThan(0);
  // A process that its parent has not waited for is a zombie.
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  expect(stdout.trim()).toMatch(/^(?:Z.*)?$/);
});
