import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Connection } from '@catalog/sdk/connection';
import { openEvents } from '@catalog/sdk/event-stream';
import { delay } from '@catalog/sdk/idle-timeout';
import type { RegistryError } from '@catalog/sdk/registry-error';
import { unreachable } from '@catalog/sdk/unreachable';

export type StreamStatus =
  | { kind: 'open' }
  | { kind: 'refused'; status: number; error: CatalogError | RegistryError }
  | { kind: 'lost'; error: CatalogError };

export interface StreamOptions {
  /** Names of events; empty for all. */
  types: readonly string[];
  /** Returns the cursor for the next connection; if absent, it starts with new events. */
  since?(): string | undefined;
  onOpen(connection: { cursor: string | undefined; reopened: boolean }): void;
  /** Called for each line; the next one is read after it settles. */
  onLine(line: string): void | Promise<void>;
  /** Called when the state changes. If it throws, the reader ends. */
  onNews(news: StreamStatus): void;
}

/** Delay before reconnecting, from the specification. */
const REOPEN_MS = 500;
const MAX_PAUSE_MS = 8_000;

/** Follows a stream and reconnects when it ends, until `signal` aborts. */
export async function followStream(
  connection: Connection,
  options: StreamOptions,
  signal: AbortSignal,
): Promise<void> {
  let reported = describe({ kind: 'open' });
  let reopened = false;

  function report(news: StreamStatus): void {
    const described = describe(news);
    if (described !== reported) options.onNews(news);
    reported = described;
  }

  async function listen(): Promise<boolean> {
    const filter = { types: options.types, since: options.since?.() };
    const stream = await openEvents(connection, filter, signal).catch((cause: unknown) => {
      signal.throwIfAborted();
      report({ kind: 'lost', error: unreachable(connection.registry, cause) });
    });
    if (stream === undefined) return false;
    if (stream.kind === 'refused') {
      report({ kind: 'refused', status: stream.status, error: stream.error });
      return false;
    }
    report({ kind: 'open' });
    options.onOpen({ cursor: stream.cursor, reopened });
    await readLines(stream.lines);
    return true;
  }

  /** Reads lines. A broken connection counts as an end; an error of `onLine` does not. */
  async function readLines(lines: AsyncIterable<string>): Promise<void> {
    const reader = lines[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await reader.next().catch(() => undefined);
        signal.throwIfAborted();
        if (next === undefined || next.done === true) return;
        await options.onLine(next.value);
      }
    } finally {
      await reader.return?.();
    }
  }

  let pause = REOPEN_MS;
  while (!signal.aborted) {
    const opened = await listen();
    reopened = true;
    pause = opened ? REOPEN_MS : pause;
    await delay(pause, signal);
    if (!opened) pause = Math.min(pause * 2, MAX_PAUSE_MS);
  }
}

function describe(news: StreamStatus): string {
  if (news.kind === 'open') return news.kind;
  const status = news.kind === 'refused' ? String(news.status) : '';
  return `${news.kind} ${status} ${news.error.message}`;
}
