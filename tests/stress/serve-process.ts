import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { answersHttp } from '../../tools/services/answers-http.ts';

const CLI = join(import.meta.dirname, '../../packages/cli/src/bin.ts');
const READY_MS = 90_000;

export interface ServeProcessOptions {
  /** The working and home directory. */
  folder: string;
  config: string;
  port: number;
  env?: Readonly<Record<string, string>>;
  /** Time the start may take; half a minute unless given. */
  ready_ms?: number;
}

/** Starts `catalog serve` from the sources; returns when it is ready. */
export async function startServeProcess({
  folder,
  config,
  port,
  env = {},
  ready_ms = READY_MS,
}: ServeProcessOptions): Promise<ChildProcess> {
  const words = [CLI, 'serve', '--config', config, '--bind', `127.0.0.1:${port}`];
  const child = spawn(process.execPath, ['--conditions=@catalog/source', ...words], {
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
  for (
    const latest = performance.now() + ready_ms;
    !(await answersHttp(`http://127.0.0.1:${port}/readyz`));
  ) {
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
