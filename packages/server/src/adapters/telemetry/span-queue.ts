import { setTimeout as delay } from 'node:timers/promises';
import type { EndedSpan } from './create-tracing.ts';
import type { ExportResult } from './export-request.ts';

export const MAX_WAITING_SPANS = 4096;
const MAX_BATCH = 512;
const BATCH_MS = 2000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;

export interface SpanQueueOptions {
  send: (spans: EndedSpan[]) => Promise<ExportResult>;
  onSpans: (outcome: 'exported' | 'dropped', count: number) => void;
}

export interface SpanQueue {
  add(span: EndedSpan): void;
  /** Sends pending spans without further retries. */
  close(): Promise<void>;
}

/**
 * Creates a queue that sends batches of spans one after the other. While the collector is unavailable, the queue keeps
 * a limited number of spans.
 */
export function createSpanQueue({ send, onSpans }: SpanQueueOptions): SpanQueue {
  const waiting: EndedSpan[] = [];
  const closing = new AbortController();
  const pause = { ref: false, signal: closing.signal };
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendBatch().finally(() => {
      sending = undefined;
      gather();
    });
  }

  function gather(): void {
    if (waiting.length >= MAX_BATCH) flush();
    else if (waiting.length > 0 && sending === undefined) {
      timer ??= setTimeout(flush, BATCH_MS).unref();
    }
  }

  /** Sends one batch, with retries while the collector is unavailable. */
  async function sendBatch(): Promise<void> {
    const batch = waiting.slice(0, MAX_BATCH);
    let result = await send(batch);
    let wait_ms = FIRST_RETRY_MS;
    while (result.kind === 'unavailable' && !closing.signal.aborted) {
      const requested_ms = Math.min(result.retry_after_ms ?? 0, MAX_RETRY_MS);
      await delay(Math.max(wait_ms, requested_ms), undefined, pause).catch(() => undefined);
      wait_ms = Math.min(wait_ms * 2, MAX_RETRY_MS);
      result = await send(batch);
    }
    waiting.splice(0, batch.length);
    const dropped = result.kind === 'accepted' ? result.rejected : batch.length;
    onSpans('exported', batch.length - dropped);
    onSpans('dropped', dropped);
  }

  return {
    add(span) {
      if (waiting.length >= MAX_WAITING_SPANS) {
        onSpans('dropped', 1);
        return;
      }
      waiting.push(span);
      gather();
    },
    async close() {
      closing.abort();
      while (waiting.length > 0) {
        flush();
        await sending;
      }
    },
  };
}
