import { expect, test } from 'vitest';
import type { EndedSpan } from './create-tracing.ts';
import type { ExportResult } from './export-request.ts';
import { createSpanQueue, MAX_WAITING_SPANS, type SpanQueue } from './span-queue.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the queue reads nothing of a span
const SPAN = {} as EndedSpan;

function openQueue(send: () => Promise<ExportResult>): {
  queue: SpanQueue;
  counts: { exported: number; dropped: number };
} {
  const counts = { exported: 0, dropped: 0 };
  const queue = createSpanQueue({
    send,
    onSpans: (outcome, count) => void (counts[outcome] += count),
  });
  return { queue, counts };
}

test('span queue drops and counts spans above the limit', async () => {
  let respond: (result: ExportResult) => void = () => undefined;
  const { queue, counts } = openQueue(() => new Promise((resolve) => (respond = resolve)));
  for (let count = 0; count < MAX_WAITING_SPANS + 10; count += 1) queue.add(SPAN);
  expect(counts).toEqual({ exported: 0, dropped: 10 });
  const closed = queue.close();
  while (counts.exported < MAX_WAITING_SPANS) {
    respond({ kind: 'accepted', rejected: 0 });
    await Promise.resolve();
  }
  await closed;
  expect(counts).toEqual({ exported: MAX_WAITING_SPANS, dropped: 10 });
});

test('span queue counts spans that the collector rejects', async () => {
  const results: ExportResult[] = [{ kind: 'accepted', rejected: 1 }, { kind: 'refused' }];
  const { queue, counts } = openQueue(async () => results.shift() ?? { kind: 'refused' });
  queue.add(SPAN);
  queue.add(SPAN);
  await queue.close();
  expect(counts).toEqual({ exported: 1, dropped: 1 });
  queue.add(SPAN);
  await queue.close();
  expect(counts).toEqual({ exported: 1, dropped: 2 });
});

test('span queue drops pending spans if the collector is unavailable during shutdown', async () => {
  const { queue, counts } = openQueue(async () => ({
    kind: 'unavailable',
    retry_after_ms: undefined,
  }));
  queue.add(SPAN);
  await queue.close();
  expect(counts).toEqual({ exported: 0, dropped: 1 });
});
