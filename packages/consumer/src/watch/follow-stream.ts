import type { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Connection } from '@catalog/sdk/connection';
import { openEvents } from '@catalog/sdk/event-stream';
import { delay } from '@catalog/sdk/patience';
import type { RegistryError } from '@catalog/sdk/registry-error';
import { unreachable } from '@catalog/sdk/unreachable';

/** State of a subscription to the event stream. */
export type StreamNews =
  | { kind: 'open' }
  /** The registry returned this status instead of a stream. */
  | { kind: 'refused'; status: number; error: CatalogError | RegistryError }
  /** The registry is unreachable, or the connection was lost. */
  | { kind: 'lost'; error: CatalogError };

export interface StreamOptions {
  /** Event names; empty for every event. */
  types: readonly string[];
  /** Cursor to resume from, read before each connection. If absent, a new connection starts with new events. */
  since?(): string | undefined;
  /** Called for each new connection with the position it starts from. */
  onOpen(connection: { cursor: string | undefined; reopened: boolean }): void;
  /** Called for each line; the next line is read after it settles. */
  onLine(line: string): void | Promise<void>;
  /** Called only if the state changed. An error that it throws ends the reader. */
  onNews(news: StreamNews): void;
}

/** How long after its end a stream is opened again, as specified. */
const REOPEN_MS = 500;
/** Maximum pause between attempts while the registry cannot be subscribed to. */
const MAX_PAUSE_MS = 8_000;

/** Reads the event stream of a registry, and reconnects whenever it ends, until `signal` aborts. */
export async function followStream(
  connection: Connection,
  options: StreamOptions,
  signal: AbortSignal,
): Promise<void> {
  let reported = describe({ kind: 'open' });
  let reopened = false;

  function report(news: StreamNews): void {
    const described = describe(news);
    if (described !== reported) options.onNews(news);
    reported = described;
  }

  /** Returns whether a stream could be opened. */
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

  /** A connection that breaks off counts as an end; an error of `onLine` does not. */
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

/** Returns the same string for news that needs to be reported only once. */
function describe(news: StreamNews): string {
  if (news.kind === 'open') return news.kind;
  const status = news.kind === 'refused' ? String(news.status) : '';
  return `${news.kind} ${status} ${news.error.message}`;
}
