import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import type { ReembedJob } from '@catalog/contract/records/reembed';
import { catalogCommand, plainEnvironment } from './program.ts';

export interface RegistryProcess {
  url: string;
  pid: number;
  cpuMs(): number;
  /** Shuts the registry down gracefully; the store then consists of one file. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface RegistryProcessOptions {
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /**
   * File descriptor for the log. If undefined, the log is kept for the error message of a failed
   * start.
   */
  log?: number;
}

/** Environment for lexical search only, without vectors during a measurement. */
export const WITHOUT_VECTORS = { CATALOG_EMBEDDING_PROVIDER: 'none' };

/** Kernel clock ticks per second; `getconf CLK_TCK` prints this value on every Linux. */
const TICKS = 100;

export async function startRegistryProcess(
  home: string,
  { flags = [], env = {}, log }: RegistryProcessOptions = {},
): Promise<RegistryProcess> {
  const [node = '', ...words] = catalogCommand(
    'serve',
    '--bind',
    '127.0.0.1:0',
    '--json',
    ...flags,
  );
  const child = spawn(node, words, {
    cwd: home,
    env: { ...plainEnvironment(home), CATALOG_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', log ?? 'pipe'],
  });
  const closed = once(child, 'close');
  const { stdout } = child;
  if (stdout === null) throw new TypeError('stdout was to be piped');
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  stdout.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const started = await Promise.race([
    once(createInterface(stdout), 'line'),
    closed.then(() => undefined),
  ]);
  const line = started === undefined ? '' : String(started[0]);
  // A successful start prints one line with the URL, a failed one several lines.
  if (!line.endsWith('}') || child.pid === undefined) {
    await closed;
    throw new Error(`catalog serve ended with ${child.exitCode ?? child.signalCode}:\n${errors}`);
  }
  const { pid } = child;
  const { url }: { url: string } = JSON.parse(line);
  return {
    url,
    pid,
    cpuMs: () => cpuOf(pid),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };

  async function end(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal);
    await closed;
  }
}

export async function untilIngested(url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}/v1/layers`);
    const { layers }: { layers: { last_ingested_at?: string }[] } = JSON.parse(await answer.text());
    if (layers.every(({ last_ingested_at }) => last_ingested_at !== undefined)) return;
    await delay(100);
  }
}

/** Waits until vector search is active: embedding uses CPU time of the measurement. */
export async function untilEmbedded(url: string): Promise<void> {
  const read = async <Body>(path: string, method = 'GET'): Promise<Body> => {
    const answer = await fetch(`${url}${path}`, { method });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  const reembedPath = '/v1/admin/reembed?only_missing=true&wait=false';
  let job = await read<ReembedJob>(reembedPath, 'POST');
  while (job.state !== 'done') {
    await delay(100);
    job = await read<ReembedJob>(`/v1/admin/reembed/${job.job}`);
  }
  if (job.failed > 0) throw new Error(`not embedded: ${job.failures[0]?.reason}`);
  while ((await read<SearchResponse>('/v1/search_artifacts?query=anything')).degraded === true) {
    await delay(100);
  }
}

/** Runs work with a registry, and kills the registry with SIGKILL even if the work fails. */
export async function untilKilled<Result>(
  start: () => Promise<RegistryProcess>,
  work: (registry: RegistryProcess) => Promise<Result>,
): Promise<Result> {
  const registry = await start();
  try {
    return await work(registry);
  } finally {
    await registry.kill();
  }
}

export function cpuOf(pid: number): number {
  return sumTimes(pid, ['utime', 'stime']);
}

/** Includes the ended child processes. */
export function cpuWithChildren(pid: number): number {
  return sumTimes(pid, ['utime', 'stime', 'cutime', 'cstime']);
}

/** Positions in `/proc/<pid>/stat` after the command name. */
const TIMES = { utime: 11, stime: 12, cutime: 13, cstime: 14 };

function sumTimes(pid: number, names: readonly (keyof typeof TIMES)[]): number {
  // The command name is in parentheses and can contain any character.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = names.reduce((sum, name) => sum + Number(fields[TIMES[name]]), 0);
  return (ticks / TICKS) * 1000;
}
