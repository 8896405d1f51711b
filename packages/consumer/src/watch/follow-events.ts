import type { TreeWatch } from '@catalog/core/node/watch-tree';
import type { Connection } from '@catalog/sdk/connection';
import { followStream, type StreamStatus } from './follow-stream.ts';

/** Events that trigger a run: those of the specification, and those that SPEC-11 adds. */
export const WATCHED_EVENTS = [
  'artifact.published',
  'artifact.deprecated',
  'artifact.removed',
  'artifact.restored',
  'layer.config_changed',
  'layer.user_registered',
] as const;

export interface EventWatch extends TreeWatch {
  /** Resolves after the first attempt to subscribe, successful or not. */
  settled: Promise<void>;
}

/**
 * Follows the event stream. Each line except heartbeats is a trigger. If the stream ends, it reconnects and triggers,
 * because events may be missing.
 */
export function followEvents(
  connection: Connection,
  onEvent: () => void,
  onNews: (news: StreamStatus) => void,
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

/** Returns true for a heartbeat. A malformed line counts as an event, because an extra run is harmless. */
function isHeartbeat(line: string): boolean {
  try {
    const parsed: { event?: unknown } | null = JSON.parse(line);
    return parsed?.event === '_heartbeat';
  } catch {
    return false;
  }
}
