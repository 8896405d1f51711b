import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { assertSealed } from './namespace.ts';

/** A program to start: nothing of this process's environment reaches it. */
export interface SealedCommand {
  words: readonly string[];
  cwd: string;
  /** A folder of its own, so that no other run and no person's settings are seen. */
  home: string;
  env?: Readonly<Record<string, string>>;
  /** Written to it before its input is closed. */
  input?: string;
  /** Time after which it is killed, in milliseconds; 2 minutes by default. */
  timeout_ms?: number;
}

export interface SealedOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 120_000;

/** Runs a program to its end; one that hangs is killed and has no exit code. */
export async function runSealed(command: SealedCommand): Promise<SealedOutcome> {
  const child = start(command);
  const timer = setTimeout(() => kill(child), command.timeout_ms ?? TIMEOUT_MS);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(command.input ?? '');
  const [code]: (number | null)[] = await once(child, 'close');
  clearTimeout(timer);
  kill(child);
  return { code: code ?? null, stdout, stderr };
}

/** A session in which many tools are called, on a machine with other work. */
const SESSION_TIMEOUT_MS = 600_000;

/** Runs a session to its end; one that is killed would look like a program that does less. */
export async function runSession(command: SealedCommand): Promise<SealedOutcome> {
  const outcome = await runSealed({ timeout_ms: SESSION_TIMEOUT_MS, ...command });
  if (outcome.code !== null) return outcome;
  throw new Error(`${command.words.join(' ')} did not end in ${SESSION_TIMEOUT_MS / 1000} s`);
}

/** A program that is talked with in lines of JSON. */
export interface Conversation {
  send: (message: object) => void;
  /** The first line that fits, of those heard and those to come. */
  hear: (fits: (message: Message) => boolean) => Promise<Message>;
  /** Everything heard so far. */
  heard: readonly Message[];
}

export type Message = Record<string, unknown>;

/** Starts a program, talks with it, and ends it whatever happened. */
export async function converse<T>(
  command: SealedCommand,
  talk: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const child = start(command);
  const heard: Message[] = [];
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (line.startsWith('{')) heard.push(JSON.parse(line));
  });
  const name = command.words.join(' ');
  async function hear(fits: (message: Message) => boolean): Promise<Message> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for (;;) {
      const message = heard.find(fits);
      if (message) return message;
      if (child.exitCode !== null) throw new Error(`${name} ended: ${stderr.slice(-2000)}`);
      await Promise.race([once(lines, 'line', { signal }), once(child, 'close', { signal })]);
    }
  }
  try {
    const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
    return await talk({ send, hear, heard });
  } finally {
    kill(child);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  }
}

/** Where programs are found: this Node first, then the system's. */
export const SEALED_PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`;

function start({ words, cwd, home, env }: SealedCommand): ChildProcessWithoutNullStreams {
  assertSealed();
  const [program = '', ...rest] = words;
  const child = spawn(program, rest, {
    cwd,
    env: {
      PATH: SEALED_PATH,
      HOME: home,
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      // Without it, whatever looks for a package tries for a minute.
      npm_config_fetch_retries: '0',
      ...env,
    },
    detached: true,
    stdio: 'pipe',
  });
  // A program that ends before it has read its input is no failure of this process.
  child.stdin.on('error', () => undefined);
  return child;
}

/** The program and what it started. */
function kill(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Everything ended by itself.
  }
}
