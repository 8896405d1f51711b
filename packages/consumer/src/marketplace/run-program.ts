import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { Writable } from 'node:stream';
import { inheritedDescriptors } from './inherited-descriptors.ts';

/** A program to run: without a shell, in a folder, with exactly this environment. */
export interface Program {
  words: readonly [string, ...string[]];
  directory: string;
  env: Readonly<Record<string, string | undefined>>;
  input?: string;
  /** What it can read from file descriptor 3. */
  descriptor?: Uint8Array;
  timeout_ms?: number | undefined;
  /** Keep all it prints on stdout, however much that is. */
  keep_stdout?: true;
  /** It is ended when it prints more than this. */
  most_stdout?: number;
  /** Each line it prints, as it comes. */
  onLine?: ((line: string) => void) | undefined;
}

export interface Outcome {
  /** -1 where it could not be started, or was ended. */
  status: number;
  /** Empty unless it was to be kept. */
  stdout: string;
  /** The end of what it printed on either stream, or why it could not be started. */
  output: string;
  /** The same of the errors alone. */
  errors: string;
  timed_out: boolean;
}

/** What is kept of what a program prints, for people to read. */
const MOST_OUTPUT = 64 * 1024;
/** What a program gets to put things in order when it is asked to end. */
const GRACE_MS = 2000;

/** Programs that run; none of them outlives this process. */
const running = new Set<ChildProcess>();

function endAll(): void {
  for (const child of running) kill(child, 'SIGKILL');
}

/** Runs a program to its end; it ends with the signal, and everything it started with it. */
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
      output = (output + text).slice(-MOST_OUTPUT);
      if (stream === child.stderr) {
        errors = (errors + text).slice(-MOST_OUTPUT);
        return;
      }
      printed += text.length;
      if (printed > (program.most_stdout ?? Infinity)) {
        stream.destroy();
        stop();
      } else if (program.keep_stdout === true) stdout.push(text);
    });
  }
  child.stdin.on('error', () => {}); // it may end without reading everything
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

/** The program, or why the system cannot even be asked for it: a NUL in a word, a word too long. */
function start(program: Program): ChildProcessWithoutNullStreams | string {
  const { words, directory, env, descriptor } = program;
  const [file, ...rest] = words;
  const nothing = openSync(devNull, 'r');
  try {
    // A group of its own, so that what it starts ends with it.
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

/** What it has open: its streams, and nothing in the place of what this process was left with. */
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
  stream.on('error', () => {}); // it may end without reading it
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
    // What left the group lives on and may hold the streams; nobody listens to it any more.
    for (const stream of child.stdio) stream?.destroy();
  }, GRACE_MS);
  child.on('close', () => clearTimeout(timer));
}

function kill({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // it has ended already
  }
}

/** Whole lines of text that comes in pieces. */
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
