import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runProgram, type Program } from './run-program.ts';

function shell(line: string): Program {
  const env = { PATH: process.env['PATH'] };
  return { words: ['sh', '-c', line], directory: temporaryFolder(), env };
}

const MUCH = 'head -c 2999997 /dev/zero | tr "\\0" x; printf end';

describe('runProgram', () => {
  test('keeps all output if requested, and otherwise only the end', async () => {
    const kept = await runProgram({ ...shell(MUCH), keep_stdout: true });
    expect(kept.stdout).toHaveLength(3_000_000);
    const other = await runProgram(shell(MUCH));
    expect(other.stdout).toBe('');
    expect(other.output.length).toBeLessThan(100_000);
    expect(other.output.endsWith('end')).toBe(true);
  });

  test('kills a program that exceeds the output limit', async () => {
    const flood = { ...shell('exec yes'), keep_stdout: true, most_stdout: 1_000_000 } as const;
    const { status, stdout } = await runProgram(flood);
    expect(status).not.toBe(0);
    expect(stdout.length).toBeLessThanOrEqual(1_000_000);
  });

  test('provides input and descriptor 3, and separates stdout from stderr', async () => {
    const program = { ...shell('cat; cat <&3; echo oops >&2'), keep_stdout: true } as const;
    const given = { input: 'one ', descriptor: Buffer.from('two') };
    const { stdout, errors } = await runProgram({ ...program, ...given });
    expect(stdout).toBe('one two');
    expect(errors).toBe('oops\n');
  });

  test('reports each line as it is printed, including an unterminated last line', async () => {
    const lines: string[] = [];
    await runProgram({ ...shell('printf "a\\nb"'), onLine: (line) => lines.push(line) });
    expect(lines).toEqual(['a', 'b']);
  });

  test.each([
    ['a NUL', 'echo a\0b'],
    ['more than a word may hold', `: ${'x'.repeat(3_000_000)}`],
  ])('returns status -1 if the system cannot start the program: %s', async (_, line) => {
    const { status, output } = await runProgram(shell(line));
    expect(status).toBe(-1);
    expect(output).not.toBe('');
  });

  test('stops the program when the signal is aborted', async () => {
    const controller = new AbortController();
    const running = runProgram(
      { ...shell('echo up; sleep 600'), onLine: () => controller.abort() },
      controller.signal,
    );
    await expect(running).rejects.toThrow(/abort/);
  });

  test('kills the program when the parent process exits, even if it ignores signals', async () => {
    const script = `
      import { runProgram } from ${JSON.stringify(new URL('run-program.ts', import.meta.url).href)};
      const words = ['sh', '-c', 'trap "" TERM HUP INT; echo $$; while :; do sleep 1; done'];
      const onLine = (line) => process.stdout.write(line, () => process.exit());
      await runProgram({ words, directory: '/', env: process.env, onLine });`;
    const options = ['--conditions=@catalog/source', '--input-type=module', '--eval', script];
    const { stdout } = spawnSync(process.execPath, options, { encoding: 'utf8' });
    expect(stdout).toMatch(/^[1-9]\d*$/);
    // The process that adopts the orphan removes it with some delay.
    await vi.waitFor(() => expect(() => process.kill(Number(stdout), 0)).toThrow('ESRCH'), 5000);
  });

  test('returns on timeout even if a detached child keeps the streams open', async () => {
    const slips = `setsid sh -c 'trap "" TERM; sleep 8' & sleep 8`;
    const started = performance.now();
    const { timed_out } = await runProgram({ ...shell(slips), timeout_ms: 100 });
    expect(timed_out).toBe(true);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('passes only the given environment', async () => {
    const { stdout } = await runProgram({ ...shell('echo "[$HOME]"'), keep_stdout: true });
    expect(stdout).toBe('[]\n');
  });

  test.runIf(process.platform === 'linux')(
    'does not pass inherited file descriptors to the program',
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
