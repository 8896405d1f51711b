import { spawnSync } from 'node:child_process';

export interface CommandRun {
  wall_ms: number;
  /** User and system time of the command and all its child processes. */
  cpu_ms: number;
  status: number;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  cwd?: string;
  env?: Record<string, string>;
}

const MEBIBYTE = 1_048_576;

/** Measures a command with the `time` of the shell, without this process and the time to start. */
export function measureCommand(
  command: readonly string[],
  options: CommandOptions = {},
): CommandRun {
  const script = `TIMEFORMAT='%R %U %S'; exec 4>&2; { time "$@" 2>&4; } 2>&3`;
  const child = spawnSync('bash', ['-c', script, 'bash', ...command], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * MEBIBYTE,
  });
  const [wall = 0, user = 0, system = 0] = String(child.output[3]).trim().split(' ').map(Number);
  return {
    wall_ms: wall * 1000,
    cpu_ms: (user + system) * 1000,
    status: child.status ?? -1,
    stdout: child.stdout,
    stderr: child.stderr,
  };
}

export function measureSuccess(
  command: readonly string[],
  options: CommandOptions = {},
): CommandRun {
  const run = measureCommand(command, options);
  if (run.status !== 0) {
    throw new Error(`${command.join(' ')} ended with ${run.status}:\n${run.stderr}${run.stdout}`);
  }
  return run;
}
