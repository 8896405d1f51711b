import type { Launch } from '@catalog/consumer/trust/approve-launch';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isJsonObject, type Json, type JsonObject } from '@catalog/core/json';
import { wordOf } from './json-values.ts';

export type Reply =
  | { kind: 'result'; result: JsonObject }
  | { kind: 'error'; message: string; data: JsonObject }
  | { kind: 'silence'; reason: string };

export interface McpConnection {
  ask(method: string, params: JsonObject): Promise<Reply>;
  tell(method: string): void;
  stderr(): string;
  /** Returns the first line on stdout that is not a protocol message, on which hosts may disconnect. */
  stray(): string | undefined;
  close(): Promise<void>;
}

const FIRST_RESPONSE_TIMEOUT_MS = 10_000;
/** Timeout of later responses. A load can pause for up to 30 seconds between two chunks. */
const RESPONSE_TIMEOUT_MS = 45_000;
const SHUTDOWN_GRACE_MS = 3_000;

type Environment = Readonly<Record<string, string | undefined>>;

export function openMcpConnection(
  { command, args }: Launch,
  { cwd, env, signal }: { cwd: string; env: Environment; signal: AbortSignal },
): McpConnection {
  const child = spawn(command, args, { cwd, env, stdio: 'pipe', signal });
  const waiting = new Map<number, (reply: Reply) => void>();
  let stderr = '';
  let stray: string | undefined;
  let last = 0;
  let ended: string | undefined;

  function end(reason: string): void {
    ended ??= reason;
    for (const settle of waiting.values()) settle({ kind: 'silence', reason: ended });
  }

  const closed = once(child, 'close').then(
    ([code, name]) => end(`exited with ${name ?? `code ${wordOf(code)}`}`),
    (error: unknown) => end(error instanceof Error ? error.message : String(error)),
  );
  child.on('error', (error) => end(error.message));
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = readMessage(line);
    if (message === undefined) stray ??= line;
    else if (typeof message['id'] === 'number') waiting.get(message['id'])?.(toReply(message));
  });

  function send(message: JsonObject): void {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  return {
    ask(method, params) {
      if (ended !== undefined) return Promise.resolve({ kind: 'silence', reason: ended });
      const id = (last += 1);
      const timeout_ms = id === 1 ? FIRST_RESPONSE_TIMEOUT_MS : RESPONSE_TIMEOUT_MS;
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          settle({ kind: 'silence', reason: `no response within ${timeout_ms / 1000} s` });
        }, timeout_ms);
        const settle = (reply: Reply): void => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(reply);
        };
        waiting.set(id, settle);
        send({ id, method, params });
      });
    },
    tell: (method) => send({ method }),
    stderr: () => stderr,
    stray: () => stray,
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), SHUTDOWN_GRACE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

function readMessage(line: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(line);
    return isJsonObject(value) && value['jsonrpc'] === '2.0' ? value : undefined;
  } catch {
    return undefined;
  }
}

function toReply({ result, error }: JsonObject): Reply {
  if (isJsonObject(result)) return { kind: 'result', result };
  const { message, data } = isJsonObject(error) ? error : {};
  return { kind: 'error', message: wordOf(message), data: isJsonObject(data) ? data : {} };
}
