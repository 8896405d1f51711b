import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { Writable } from 'node:stream';
import { inheritedDescriptors } from './inherited-descriptors.ts';

/** Program that runs without a shell, with only the given environment. */
export interface Program {
  words: readonly [string, ...string[]];
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  input?: string;
  /** Content for file descriptor 3. */
  descriptor?: Uint8Array;
  timeout_ms?: number | undefined;
  keep_stdout?: true;
  /** Maximum output; the program is killed if it prints more. */
  most_stdout?: number;
  onLine?: ((line: string) => void) | undefined;
}

export interface Outcome {
  /** Exit status; -1 if the program was killed or could not start. */
  status: number;
  stdout: string;
  /** End of the output, or why the program did not start. */
  output: string;
  errors: string;
  timed_out: boolean;
}

/** Maximum number of characters kept for messages. */
const MAX_OUTPUT = 64 * 1024;
/** Time between the signal to end and a kill. */
const GRACE_MS = 2000;

const running = new Set<ChildProcess>();

function endAll(): void {
  for (const child of running) kill(child, 'SIGKILL');
}

/** Runs a program. Aborting the signal stops it and its child processes. */
export async function runProgram(program: Program, signal?: AbortSignal): Promise<Outcome> {
  signal?.throwIfAborted();
  const child = start(program);
  if (typeof child === 'string') {
    return { status: -1, stdout: '', output: child, errors: child, timed_out: false };
  }
  const stdout: string[] = [];
  let printed = 0;
  let output = '';
  let errors = '';
  let timed_out = false;
  if (running.size === 0) process.once('exit', endAll);
  running.add(child);
  const lines = splitLines(program.onLine);
  const stop = (): void => endGroup(child);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      lines.add(text);
      output = (output + text).slice(-MAX_OUTPUT);
      if (stream === child.stderr) {
        errors = (errors + text).slice(-MAX_OUTPUT);
        return;
      }
      printed += text.length;
      if (printed > (program.most_stdout ?? Infinity)) {
        stream.destroy();
        stop();
      } else if (program.keep_stdout === true) stdout.push(text);
    });
  }
  child.stdin.on('error', () => {}); // the program may exit without reading everything
  child.stdin.end(program.input ?? '');
  const timer =
    program.timeout_ms === undefined
      ? undefined
      : setTimeout(() => {
          timed_out = true;
          stop();
        }, program.timeout_ms);
  signal?.addEventListener('abort', stop);
  try {
    const status = await ended(child, (reason) => {
      output += reason;
      errors += reason;
    });
    signal?.throwIfAborted();
    return { status, stdout: stdout.join(''), output, errors, timed_out };
  } finally {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
    lines.end();
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Starts a program. Returns a reason for invalid arguments, such as a NUL character. */
function start(program: Program): ChildProcessWithoutNullStreams | string {
  const { words, directory, env, descriptor } = program;
  const [file, ...rest] = words;
  const nothing = openSync(devNull, 'r');
  try {
    // The program gets its own process group, so that its child processes are killed too.
    const stdio = streamsOf(descriptor !== undefined, nothing);
    const child = spawn(file, rest, { cwd: directory, env, stdio, detached: true });
    if (descriptor !== undefined) supply(child, descriptor);
    return hasStreams(child) ? child : 'it has no streams';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    closeSync(nothing);
  }
}

/** Returns the streams of a program. Inherited descriptors are closed. */
function streamsOf(isSupplied: boolean, nothing: number): ('pipe' | 'ignore' | number)[] {
  const stdio: ('pipe' | 'ignore' | number)[] = ['pipe', 'pipe', 'pipe'];
  for (const descriptor of inheritedDescriptors()) {
    while (stdio.length < descriptor) stdio.push('ignore');
    stdio[descriptor] = nothing;
  }
  if (isSupplied) stdio[3] = 'pipe';
  return stdio;
}

function supply({ stdio }: ChildProcess, bytes: Uint8Array): void {
  const stream = stdio[3];
  if (!(stream instanceof Writable)) return;
  stream.on('error', () => {});
  stream.end(bytes);
}

function hasStreams(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

function ended(child: ChildProcess, onError: (reason: string) => void): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      onError(message);
      resolve(-1);
    });
    child.on('close', (status) => resolve(status ?? -1));
  });
}

function endGroup(child: ChildProcess): void {
  kill(child, 'SIGTERM');
  const timer = setTimeout(() => {
    kill(child, 'SIGKILL');
    // A process that left the group survives and may keep the streams open, so they are no longer read.
    for (const stream of child.stdio) stream?.destroy();
  }, GRACE_MS);
  child.on('close', () => clearTimeout(timer));
}

function kill({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The program has already exited.
  }
}

function splitLines(onLine: Program['onLine']): { add: (text: string) => void; end: () => void } {
  let rest = '';
  return {
    add: (text) => {
      if (onLine === undefined) return;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    },
    end: () => {
      if (rest !== '') onLine?.(rest);
    },
  };
}
