import type { TreeWatch } from '@catalog/core/node/watch-tree';
import type { Connection } from '@catalog/sdk/connection';
import { openEvents } from '@catalog/sdk/event-stream';
import { delay } from '@catalog/sdk/patience';
import { unreachable } from '@catalog/sdk/unreachable';

/** What changes a view: the events of the specification, and those that SPEC-11 adds. */
export const WATCHED_EVENTS = [
  'artifact.published',
  'artifact.deprecated',
  'artifact.removed',
  'artifact.restored',
  'layer.config_changed',
  'layer.user_registered',
] as const;

/** What became of a subscription. */
export type StreamNews =
  | { kind: 'open' }
  /** The registry answered with this status instead. */
  | { kind: 'refused'; status: number; message: string }
  /** Nothing answers, or the connection broke off. */
  | { kind: 'lost'; message: string };

export interface EventWatch extends TreeWatch {
  /** Resolves when the first attempt to subscribe has come to something. */
  settled: Promise<void>;
}

/** How long after its end a stream is opened again, as specified. */
const REOPEN_MS = 500;
/** A registry that cannot be subscribed to is asked ever less often, up to this. */
const LONGEST_PAUSE_MS = 8_000;

/**
 * Listens to the events of a registry: each line but a heartbeat is one trigger, whatever else it
 * says. A stream that ends is opened again; what happened while nobody listened is known to nobody,
 * so that is a trigger too. Only what is new is told.
 */
export function followEvents(
  connection: Connection,
  onEvent: () => void,
  onNews: (news: StreamNews) => void,
): EventWatch {
  const stop = new AbortController();
  const settled = Promise.withResolvers<void>();
  let told: StreamNews = { kind: 'open' };
  let missed = false;

  function tell(news: StreamNews): void {
    settled.resolve();
    if (JSON.stringify(news) !== JSON.stringify(told)) onNews(news);
    told = news;
  }

  /** Whether a stream could be opened. */
  async function listen(): Promise<boolean> {
    const stream = await openEvents(connection, { types: WATCHED_EVENTS }, stop.signal);
    if (stream.kind === 'refused') {
      tell({ kind: 'refused', status: stream.status, message: stream.error.message });
      return false;
    }
    tell({ kind: 'open' });
    if (missed) onEvent();
    try {
      for await (const line of stream.lines) if (!isHeartbeat(line)) onEvent();
    } catch {
      stop.signal.throwIfAborted(); // it broke off, which is as good as an end
    }
    return true;
  }

  async function keepListening(): Promise<void> {
    let pause = REOPEN_MS;
    while (!stop.signal.aborted) {
      const opened = await listen().catch((cause: unknown) => {
        stop.signal.throwIfAborted();
        tell({ kind: 'lost', message: unreachable(connection.registry, cause).message });
        return false;
      });
      missed = true;
      pause = opened ? REOPEN_MS : pause;
      await delay(pause, stop.signal);
      if (!opened) pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  keepListening().catch((error: unknown) => {
    if (!stop.signal.aborted) throw error;
  });
  return {
    settled: settled.promise,
    close: () => {
      settled.resolve();
      stop.abort();
    },
  };
}

/** A line that cannot be read is a trigger like any other: better one run too many. */
function isHeartbeat(line: string): boolean {
  try {
    const parsed: { event?: unknown } | null = JSON.parse(line);
    return parsed?.event === '_heartbeat';
  } catch {
    return false;
  }
}
