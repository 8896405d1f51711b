import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installPinned } from './install-pinned.ts';

export interface InspectedServer {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
}

export interface Inspection {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function installInspector(): Promise<string> {
  return installPinned('inspector-2.12.0');
}

export async function inspect(
  { command, args, env, cwd }: InspectedServer,
  words: readonly string[],
): Promise<Inspection> {
  const folder = await installInspector();
  const program = join(folder, 'node_modules/.bin/mcp-inspector');
  const given = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const target = [...given, '--cwd', cwd, ...words, '--', command, ...args];
  const child = spawn(program, ['--cli', ...target], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: env['HOME'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  await once(child, 'close');
  return { code: child.exitCode, ...output };
}
