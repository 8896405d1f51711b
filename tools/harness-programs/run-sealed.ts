import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { assertSealed } from './namespace.ts';

/** Command that does not inherit the environment of this process. */
export interface SealedCommand {
  words: readonly string[];
  cwd: string;
  /** The program must not read files of other runs or of the user. */
  home: string;
  env?: Readonly<Record<string, string>>;
  input?: string;
  /** 2 minutes by default. */
  timeout_ms?: number;
}

export interface SealedOutcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

const TIMEOUT_MS = 120_000;

/** Kills a program that hangs; it has no exit code. */
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

/** Sized for a session with many tool calls on a busy machine. */
const SESSION_TIMEOUT_MS = 600_000;

/** Throws if the session is killed, because its results would be incomplete. */
export async function runSession(command: SealedCommand): Promise<SealedOutcome> {
  const outcome = await runSealed({ timeout_ms: SESSION_TIMEOUT_MS, ...command });
  if (outcome.code !== null) return outcome;
  throw new Error(`${command.words.join(' ')} did not end in ${SESSION_TIMEOUT_MS / 1000} s`);
}

/** Conversation in lines of JSON. */
export interface Conversation {
  send: (message: object) => void;
  /** Returns the first matching message, received already or in the future. */
  waitForMessage: (fits: (message: Message) => boolean) => Promise<Message>;
  receivedMessages: readonly Message[];
}

export type Message = Record<string, unknown>;

/** Always stops the program. */
export async function withConversation<T>(
  command: SealedCommand,
  talk: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const child = start(command);
  const received: Message[] = [];
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (line.startsWith('{')) received.push(JSON.parse(line));
  });
  const name = command.words.join(' ');
  async function hear(fits: (message: Message) => boolean): Promise<Message> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for (;;) {
      const message = received.find(fits);
      if (message) return message;
      if (child.exitCode !== null) throw new Error(`${name} ended: ${stderr.slice(-2000)}`);
      await Promise.race([once(lines, 'line', { signal }), once(child, 'close', { signal })]);
    }
  }
  try {
    const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
    return await talk({ send, waitForMessage: hear, receivedMessages: received });
  } finally {
    kill(child);
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  }
}

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
      // Without this setting, package lookups retry for a minute.
      npm_config_fetch_retries: '0',
      ...env,
    },
    detached: true,
    stdio: 'pipe',
  });
  // The program may exit before it has read its input.
  child.stdin.on('error', () => undefined);
  return child;
}

function kill(child: ChildProcessWithoutNullStreams): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All processes have exited.
  }
}
