import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The system can assign the id to another process, so the record has a start time. */
export interface ProcessRecord {
  pid: number;
  started: string;
}

export interface ServerStart {
  program: string;
  words: readonly string[];
  cwd: string;
  log: string;
  /** A shared server continues when this process exits; any other server is killed with it. */
  shared: boolean;
  env?: Record<string, string>;
  user?: { uid: number; gid: number } | undefined;
}

export async function startServer(start: ServerStart): Promise<ProcessRecord> {
  const log = openSync(start.log, 'a');
  const child = spawn(start.program, start.words, {
    cwd: start.cwd,
    env: { PATH: process.env['PATH'], TZ: 'UTC', ...start.env },
    detached: start.shared,
    stdio: ['ignore', log, log],
    ...(start.user && { uid: start.user.uid, gid: start.user.gid }),
  });
  closeSync(log);
  await once(child, 'spawn');
  child.unref();
  const pid = child.pid ?? 0;
  const record = { pid, started: startOf(pid) ?? '' };
  if (!start.shared) killAtExit(record);
  return record;
}

export function isRunning(record: ProcessRecord): boolean {
  return startOf(record.pid) === record.started;
}

/** Does nothing if the process has exited, even if its id is in use again. */
export function signalProcess(record: ProcessRecord, signal: NodeJS.Signals): void {
  if (isRunning(record)) process.kill(record.pid, signal);
}

/** Uses SIGSTOP until `thawProcess`; includes child processes. */
export function freezeProcess({ pid }: ProcessRecord): void {
  // The parent first, so that it cannot start other children.
  process.kill(pid, 'SIGSTOP');
  for (const child of listChildren(pid)) process.kill(child, 'SIGSTOP');
}

export function thawProcess({ pid }: ProcessRecord): void {
  for (const child of listChildren(pid)) process.kill(child, 'SIGCONT');
  process.kill(pid, 'SIGCONT');
}

function listChildren(pid: number): number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [Number(line)]));
}

const STOP_TIMEOUT_MS = 20_000;

export async function stopServer(
  record: ProcessRecord,
  signal: NodeJS.Signals,
  timeoutMs = STOP_TIMEOUT_MS,
): Promise<void> {
  signalProcess(record, signal);
  if (await waitForExit(record, timeoutMs)) return;
  signalProcess(record, 'SIGKILL');
  if (!(await waitForExit(record, STOP_TIMEOUT_MS))) throw new Error(`${record.pid} does not end`);
}

/** Returns false on timeout. */
export async function waitForExit(record: ProcessRecord, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isRunning(record)) {
    if (performance.now() > deadline) return false;
    await pause(5);
  }
  return true;
}

const READY_TIMEOUT_MS = 60_000;

/** If the server exits, throws with the end of its log. */
export async function waitUntilReady(
  record: ProcessRecord,
  log: string,
  answers: () => Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await answers())) {
    const running = isRunning(record);
    if (running && performance.now() < deadline) await pause(20);
    else {
      const tail = readFileSync(log, 'utf8').slice(-2000);
      throw new Error(`${log}: the server ${running ? 'does not answer' : 'ended'}\n${tail}`);
    }
  }
}

/** Returns undefined if the process has exited or is a zombie. */
export function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
}

/** In clock ticks since boot. The name in the second field may contain spaces and parentheses. */
function startOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : `${bootId()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

let boot: string | undefined;

function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}

function startByPs(pid: number): string | undefined {
  try {
    const words = ['-o', 'stat=,lstart=', '-p', String(pid)];
    const line = execFileSync('ps', words, { encoding: 'utf8', stdio: 'pipe' }).trim();
    return line.startsWith('Z') ? undefined : line.slice(line.indexOf(' ')).trim();
  } catch {
    return undefined;
  }
}

const ownServers: ProcessRecord[] = [];

function killAtExit(record: ProcessRecord): void {
  if (ownServers.length === 0) {
    process.once('exit', () => {
      for (const server of ownServers) signalProcess(server, 'SIGKILL');
    });
  }
  ownServers.push(record);
}
