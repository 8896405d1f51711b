import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTracing, type EndedSpan, type TracingOptions } from './create-tracing.ts';

const SOURCE: TracingOptions['source'] = {
  resource: { attributes: {}, merge: () => SOURCE.resource, getRawAttributes: () => [] },
  instrumentationScope: { name: 'catalog' },
};

function openTracing(more: Partial<TracingOptions> = {}): {
  ended: EndedSpan[];
  tracing: ReturnType<typeof createTracing>;
} {
  const ended: EndedSpan[] = [];
  const tracing = createTracing({
    source: SOURCE,
    ratio: 1,
    sampling_key: 'key',
    onEnd: (span) => void ended.push(span),
    now: () => new Date('2026-01-01T00:00:00Z'),
    monotonicMs: () => 0,
    newSpanId: () => randomBytes(8).toString('hex'),
    ...more,
  });
  return { ended, tracing };
}

const TRACE_IDS = Array.from({ length: 4000 }, (_, index) => index.toString(16).padStart(32, '0'));

async function sampledOf(sampling_key: string): Promise<string[]> {
  const { ended, tracing } = openTracing({ ratio: 0.25, sampling_key });
  for (const trace_id of TRACE_IDS) {
    await tracing.startTrace({ trace_id }, { name: 'root' }, async () => undefined);
  }
  return ended.map((span) => span.spanContext().traceId);
}

test('processes with the same key sample the same traces, and processes with other keys do not', async () => {
  const sampled = await sampledOf('one');
  expect(sampled.length / TRACE_IDS.length).toBeCloseTo(0.25, 1);
  expect(await sampledOf('one')).toEqual(sampled);
  const others = await sampledOf('two');
  expect(others.filter((id) => sampled.includes(id)).length).toBeLessThan(sampled.length / 2);
});

test('a failed span has the code of the error but not its message', async () => {
  const { ended, tracing } = openTracing();
  const work = tracing.startTrace({ trace_id: '1'.repeat(32) }, { name: 'root' }, () =>
    tracing.startSpan({ name: 'child' }, async () => {
      throw new TypeError('secret');
    }),
  );
  await expect(work).rejects.toThrow('secret');
  expect(ended.map(({ name, attributes, status }) => ({ name, attributes, status }))).toEqual([
    { name: 'child', attributes: { 'error.type': 'TypeError' }, status: { code: 2 } },
    { name: 'root', attributes: { 'error.type': 'TypeError' }, status: { code: 2 } },
  ]);
});

test('work that outlives its trace or is detached from it has no span', async () => {
  const { ended, tracing } = openTracing();
  const child = () => tracing.startSpan({ name: 'child' }, async () => undefined);
  const after: Promise<void>[] = [];
  let end: () => void = () => undefined;
  const ending = new Promise<void>((resolve) => (end = resolve));
  await tracing.startTrace({ trace_id: '1'.repeat(32) }, { name: 'root' }, async () => {
    await tracing.detach(child);
    after.push(ending.then(child));
  });
  end();
  await Promise.all(after);
  expect(ended.map(({ name }) => name)).toEqual(['root']);
});

test('an unsampled trace creates ids only for outgoing requests', async () => {
  let ids = 0;
  const newSpanId = (): string => {
    ids += 1;
    return '2'.repeat(16);
  };
  const { ended, tracing } = openTracing({ ratio: 1e-9, newSpanId });
  const trace_id = '1'.repeat(32);
  await tracing.startTrace({ trace_id }, { name: 'root' }, async (span) => {
    span.set({ status: 200 });
    span.fail('error');
    await tracing.startSpan({ name: 'child' }, async () => undefined);
    expect(ids).toBe(0);
    expect(span.traceparent).toBe(`00-${trace_id}-${'2'.repeat(16)}-00`);
  });
  expect(ids).toBe(1);
  expect(ended).toEqual([]);
});
