import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** A process and when it began: a process id alone may by now belong to somebody else. */
export interface ProcessRecord {
  pid: number;
  /** In the words of the system; compared, never read. */
  started: string;
}

export interface ServerStart {
  program: string;
  words: readonly string[];
  cwd: string;
  /** Receives what the server prints. */
  log: string;
  /** A shared server goes on when this process ends; any other is killed with it. */
  shared: boolean;
  env?: Record<string, string>;
  user?: { uid: number; gid: number } | undefined;
}

/** Starts a server and does not wait for it to answer. */
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

/** Whether that very process still runs. */
export function isRunning(record: ProcessRecord): boolean {
  return startOf(record.pid) === record.started;
}

/** Sends a signal; nothing happens when the process is gone, whoever has its id now. */
export function signalProcess(record: ProcessRecord, signal: NodeJS.Signals): void {
  if (isRunning(record)) process.kill(record.pid, signal);
}

/** Stops a process and those that it started, without their knowledge, until `thawProcess`. */
export function freezeProcess({ pid }: ProcessRecord): void {
  // First, so that it starts no other.
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

/** Asks a process to end with its own signal, waits, and takes it by force when it does not. */
export async function stopServer(
  record: ProcessRecord,
  signal: NodeJS.Signals,
  timeoutMs = STOP_TIMEOUT_MS,
): Promise<void> {
  signalProcess(record, signal);
  if (await untilGone(record, timeoutMs)) return;
  signalProcess(record, 'SIGKILL');
  if (!(await untilGone(record, STOP_TIMEOUT_MS))) throw new Error(`${record.pid} does not end`);
}

/** Waits until the process is gone; false when it is still there after the time. */
export async function untilGone(record: ProcessRecord, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isRunning(record)) {
    if (performance.now() > deadline) return false;
    await pause(5);
  }
  return true;
}

const READY_TIMEOUT_MS = 60_000;

/** Waits until a new server answers; shows the end of its log when it ended instead. */
export async function untilReady(
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

/** When a process began; undefined when it is gone, or dead and only waiting for its parent. */
export function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
}

/** Ticks since the system came up. The name in the second field may hold spaces and brackets. */
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

/** Ticks of two runs of the system must not be mixed up. */
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
