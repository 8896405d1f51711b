import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { runProgram, type Program } from './run-program.ts';

function shell(line: string): Program {
  const env = { PATH: process.env['PATH'] };
  return { words: ['sh', '-c', line], directory: temporaryFolder(), env };
}

/** Three million signs, the last of which are `end`. */
const MUCH = 'head -c 2999997 /dev/zero | tr "\\0" x; printf end';

describe('a program', () => {
  test('has all of its answer kept where that is asked for, and only the end otherwise', async () => {
    const kept = await runProgram({ ...shell(MUCH), keep_stdout: true });
    expect(kept.stdout).toHaveLength(3_000_000);
    const other = await runProgram(shell(MUCH));
    expect(other.stdout).toBe('');
    expect(other.output.length).toBeLessThan(100_000);
    expect(other.output.endsWith('end')).toBe(true);
  });

  test('is heard line by line, the last one without an end, too', async () => {
    const lines: string[] = [];
    await runProgram({ ...shell('printf "a\\nb"'), onLine: (line) => lines.push(line) });
    expect(lines).toEqual(['a', 'b']);
  });

  test.each([
    ['a NUL', 'echo a\0b'],
    ['more than a word may hold', `: ${'x'.repeat(3_000_000)}`],
  ])('that no system starts is one that failed: %s', async (_, line) => {
    const { status, output } = await runProgram(shell(line));
    expect(status).toBe(-1);
    expect(output).not.toBe('');
  });

  test('ends with the signal', async () => {
    const controller = new AbortController();
    const running = runProgram(
      { ...shell('echo up; sleep 600'), onLine: () => controller.abort() },
      controller.signal,
    );
    await expect(running).rejects.toThrow(/abort/);
  });

  test('inherits what it is given and nothing else', async () => {
    const { stdout } = await runProgram({ ...shell('echo "[$HOME]"'), keep_stdout: true });
    expect(stdout).toBe('[]\n');
  });
});
