import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { installedProgram } from '@catalog/testkit/packed-program';

/** `script` of util-linux runs a command in a terminal; without it, tests that need one are skipped. */
export const hasTerminal = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '',
);

export interface Answer {
  to: RegExp;
  keys: string;
  act?: (seen: RegExpExecArray) => Promise<void>;
}

/** Responds to each prompt when it appears, and returns the screen. */
export async function runInTerminal(
  words: string,
  answers: readonly Answer[],
  { cwd, home, env = {} }: { cwd: string; home: string; env?: Readonly<Record<string, string>> },
): Promise<{ screen: string; code: number | null }> {
  const bin = join(installedProgram(), 'bin/catalog');
  const child = spawn('script', ['-qec', `stty cols 100; exec "${bin}" ${words}`, '/dev/null'], {
    cwd,
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, TERM: 'xterm', ...env },
  });
  const waiting = [...answers];
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    screen += chunk;
    const [next] = waiting;
    const seen = next?.to.exec(screen) ?? null;
    if (next === undefined || seen === null) return;
    waiting.shift();
    child.stdin.write(next.keys);
    void next.act?.(seen);
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { screen, code };
}
