import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { answersHttp } from '../../tools/services/answers-http.ts';

const CLI = join(import.meta.dirname, '../../packages/cli/src/bin.ts');
const READY_MS = 90_000;

export interface ServeProcessOptions {
  folder: string;
  config: string;
  port: number;
  env?: Readonly<Record<string, string>>;
  /** Timeout of the start; by default, half a minute. */
  ready_ms?: number;
  /** Limit of open files; by default, that of this process. */
  descriptors?: number;
  /** Returns true if the process is ready; checks `/readyz` over HTTP by default. */
  isReady?: () => Promise<boolean>;
}

export async function startServeProcess({
  folder,
  config,
  port,
  env = {},
  ready_ms = READY_MS,
  descriptors,
  isReady = () => answersHttp(`http://127.0.0.1:${port}/readyz`),
}: ServeProcessOptions): Promise<ChildProcess> {
  const words = [CLI, 'serve', '--config', config, '--bind', `127.0.0.1:${port}`];
  const command = [process.execPath, '--conditions=@catalog/source', ...words];
  const limited = ['/bin/sh', '-c', `ulimit -n ${descriptors} && exec "$@"`, 'sh', ...command];
  const [program = '', ...given] = descriptors === undefined ? command : limited;
  const child = spawn(program, given, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      CATALOG_LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  for (const latest = performance.now() + ready_ms; !(await isReady());) {
    if (child.exitCode !== null || performance.now() > latest) {
      child.kill('SIGKILL');
      throw new Error(`A process is not ready:\n${errors}`);
    }
    await setTimeout(20);
  }
  return child;
}

export async function stopServeProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
