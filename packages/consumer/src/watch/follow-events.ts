import type { TreeWatch } from '@catalog/core/node/watch-tree';
import type { Connection } from '@catalog/sdk/connection';
import { followStream, type StreamNews } from './follow-stream.ts';

/** What changes a view: the events of the specification, and those that SPEC-11 adds. */
export const WATCHED_EVENTS = [
  'artifact.published',
  'artifact.deprecated',
  'artifact.removed',
  'artifact.restored',
  'layer.config_changed',
  'layer.user_registered',
] as const;

export interface EventWatch extends TreeWatch {
  /** Resolves when the first attempt to subscribe has come to something. */
  settled: Promise<void>;
}

/**
 * Listens to the events of a registry: each line but a heartbeat is one trigger, whatever else it
 * says. A stream that ends is opened again. Events may have been missed in between, so that is a
 * trigger too.
 */
export function followEvents(
  connection: Connection,
  onEvent: () => void,
  onNews: (news: StreamNews) => void,
): EventWatch {
  const stop = new AbortController();
  const settled = Promise.withResolvers<void>();
  followStream(
    connection,
    {
      types: WATCHED_EVENTS,
      onOpen: ({ reopened }) => {
        settled.resolve();
        if (reopened) onEvent();
      },
      onLine: (line) => {
        if (!isHeartbeat(line)) onEvent();
      },
      onNews: (news) => {
        settled.resolve();
        onNews(news);
      },
    },
    stop.signal,
  ).catch((error: unknown) => {
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
