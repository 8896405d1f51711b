import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
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

  test('is ended when it prints more than it may', async () => {
    const flood = { ...shell('exec yes'), keep_stdout: true, most_stdout: 1_000_000 } as const;
    const { status, stdout } = await runProgram(flood);
    expect(status).not.toBe(0);
    expect(stdout.length).toBeLessThanOrEqual(1_000_000);
  });

  test('reads what it is given beside its input, and its errors are told apart', async () => {
    const program = { ...shell('cat; cat <&3; echo oops >&2'), keep_stdout: true } as const;
    const given = { input: 'one ', descriptor: Buffer.from('two') };
    const { stdout, errors } = await runProgram({ ...program, ...given });
    expect(stdout).toBe('one two');
    expect(errors).toBe('oops\n');
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

  test('does not outlive who runs it, whatever it ignores', async () => {
    const script = `
      import { runProgram } from ${JSON.stringify(new URL('run-program.ts', import.meta.url).href)};
      const words = ['sh', '-c', 'trap "" TERM HUP INT; echo $$; while :; do sleep 1; done'];
      const onLine = (line) => process.stdout.write(line, () => process.exit());
      await runProgram({ words, directory: '/', env: process.env, onLine });`;
    const options = ['--conditions=@catalog/source', '--input-type=module', '--eval', script];
    const { stdout } = spawnSync(process.execPath, options, { encoding: 'utf8' });
    expect(stdout).toMatch(/^[1-9]\d*$/);
    // Whoever inherits it takes note of its end in its own time.
    await vi.waitFor(() => expect(() => process.kill(Number(stdout), 0)).toThrow('ESRCH'), 5000);
  });

  test('is over in time, even where something of it slipped away with its streams', async () => {
    const slips = `setsid sh -c 'trap "" TERM; sleep 8' & sleep 8`;
    const started = performance.now();
    const { timed_out } = await runProgram({ ...shell(slips), timeout_ms: 100 });
    expect(timed_out).toBe(true);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('inherits what it is given and nothing else', async () => {
    const { stdout } = await runProgram({ ...shell('echo "[$HOME]"'), keep_stdout: true });
    expect(stdout).toBe('[]\n');
  });

  test.runIf(process.platform === 'linux')(
    'gets nothing that this process was left with open',
    () => {
      const code = `
        const { runProgram } = await import(${JSON.stringify(`${import.meta.dirname}/run-program.ts`)});
        const words = ['sh', '-c', 'readlink /proc/self/fd/*'];
        const { output } = await runProgram({ words, directory: '/', env: process.env });
        console.log(output);`;
      const left = openSync('/etc/passwd', 'r');
      onTestFinished(() => closeSync(left));
      const stdio = ['ignore', 'pipe', 'inherit', left, ...Array(36).fill('ignore'), left];
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
        stdio,
        encoding: 'utf8',
      });
      expect(stdout).toContain('/dev/null');
      expect(stdout).not.toContain('/etc/passwd');
    },
  );
});
