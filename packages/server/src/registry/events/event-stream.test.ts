import type { EventBody } from '@catalog/contract/events';
import type { Availability } from '@catalog/core/ports/availability';
import type { OutboxEvent, OutboxReads } from '@catalog/core/ports/outbox';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Subscription } from './event-channel.ts';
import { EventStream } from './event-stream.ts';

const TENANT = 1;
const lineShape = z.looseObject({ event: z.string(), cursor: z.string().optional() });

function createOutbox() {
  let kept: OutboxEvent[] = [];
  let newest = 0;
  const listeners = new Set<() => void>();
  let behind = 0;
  function outboxOf(missing: () => number) {
    return {
      listAfter: async (tenant: number, sequence: number, limit: number) => {
        if (tenant !== TENANT) return [];
        const first = Math.max(0, sequence + 1 - (kept[0]?.sequence ?? 0));
        return kept.slice(first, Math.min(first + limit, Math.max(0, kept.length - missing())));
      },
      bounds: async (tenant: number) =>
        tenant === TENANT
          ? {
              newest: newest - missing(),
              oldest: kept[0]?.sequence ?? newest + Math.min(1, newest),
            }
          : { newest: 0, oldest: 0 },
      count: async () => kept.length - missing(),
    };
  }
  const primary = outboxOf(() => 0);
  return {
    outbox: outboxOf(() => behind),
    mode: 'ready' as 'ready' | 'read_only',
    availability(): Availability {
      return this.mode === 'ready' ? { mode: 'ready' } : { mode: 'read_only', lag_seconds: 0 };
    },
    transaction: <Result>(work: (writes: { outbox: OutboxReads }) => Promise<Result>) =>
      work({ outbox: primary }),
    readFromStandby(missing: number) {
      behind = missing;
    },
    loseTail(count: number) {
      newest -= count;
      kept = kept.filter(({ sequence }) => sequence <= newest);
    },
    onCommit(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    append(...events: (string | EventBody)[]) {
      for (const event of events) {
        kept.push({ sequence: ++newest, body: typeof event === 'string' ? body(event) : event });
      }
    },
    commit(...events: (string | EventBody)[]) {
      this.append(...events);
      for (const listener of listeners) listener();
    },
    forgetBefore(sequence: number) {
      kept = kept.filter((each) => each.sequence >= sequence);
    },
    listeners,
  };
}

function body(event: string): EventBody {
  return { event, trace_id: 't', timestamp: '2026-01-01T00:00:00.000Z', actor: {}, data: {} };
}

function createReader(room = Infinity) {
  let buffered = 0;
  let text = '';
  const reader = {
    room,
    onWrite: () => {},
    isEnded: false,
    most_buffered: 0,
    subscription: undefined as Subscription | undefined,
    write(bytes: Uint8Array) {
      reader.onWrite();
      text += Buffer.from(bytes).toString();
      buffered += bytes.length;
      reader.most_buffered = Math.max(reader.most_buffered, buffered);
      return buffered < reader.room;
    },
    end() {
      reader.isEnded = true;
    },
    drain() {
      buffered = 0;
      reader.subscription?.drained();
    },
    lines: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => lineShape.parse(JSON.parse(line))),
    names: () => reader.lines().map(({ event }) => event),
    cursors: () => reader.lines().flatMap(({ cursor }) => (cursor === undefined ? [] : [+cursor])),
  };
  return reader;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function follow(
  stream: EventStream,
  request: { types?: string[]; since?: string } = {},
  room?: number,
) {
  const reader = createReader(room);
  const { types = [], since } = request;
  const opened = await stream.open(TENANT, { types, since });
  reader.subscription = opened.attach(reader);
  return reader;
}

const PUBLISHED = 'artifact.published';
const INGESTED = 'layer.ingested';

describe('event stream', () => {
  const streams: EventStream[] = [];
  function start(store: ReturnType<typeof createOutbox>): EventStream {
    const stream = new EventStream(store);
    streams.push(stream);
    return stream;
  }
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
    vi.useRealTimers();
  });

  test('delivers events committed after the subscription, and none from before', async () => {
    const store = createOutbox();
    const stream = start(store);
    store.commit(PUBLISHED);
    const reader = await follow(stream);
    store.commit(INGESTED);
    await settle();
    expect(reader.lines()).toEqual([{ ...body(INGESTED), cursor: '2' }]);
  });

  test('misses no event committed between opening and attaching', async () => {
    const store = createOutbox();
    const stream = start(store);
    const opened = await stream.open(TENANT, { types: [], since: undefined });
    store.commit(PUBLISHED);
    await settle();
    const reader = createReader();
    opened.attach(reader);
    expect(reader.names()).toEqual([PUBLISHED]);
  });

  test('delivers events of another process at the next poll', async () => {
    const store = createOutbox();
    const reader = await follow(start(store));
    store.append(PUBLISHED);
    await settle();
    expect(reader.names()).toEqual([]);
    vi.advanceTimersByTime(1000);
    await settle();
    expect(reader.names()).toEqual([PUBLISHED]);
  });

  test('delivers the requested types to each reader', async () => {
    const store = createOutbox();
    const stream = start(store);
    const some = await follow(stream, { types: [INGESTED, 'domain.published'] });
    const all = await follow(stream);
    store.commit(PUBLISHED, INGESTED);
    store.commit(PUBLISHED);
    await settle();
    expect(some.names()).toEqual([INGESTED]);
    expect(all.names()).toEqual([PUBLISHED, INGESTED, PUBLISHED]);
  });

  test('delivers no events of another tenant', async () => {
    const store = createOutbox();
    const stream = start(store);
    const opened = await stream.open(2, { types: [], since: '0' });
    const stranger = createReader();
    opened.attach(stranger);
    const reader = await follow(stream);
    store.commit(PUBLISHED);
    await settle();
    expect([reader.names(), stranger.names()]).toEqual([[PUBLISHED], []]);
  });

  test('resumes after a cursor without gaps and duplicates', async () => {
    const store = createOutbox();
    const stream = start(store);
    store.commit(...Array.from({ length: 700 }, () => PUBLISHED));
    const first = await follow(stream);
    store.commit(PUBLISHED);
    const replayed = await follow(stream, { since: '100' });
    store.commit(PUBLISHED);
    await settle();
    expect(replayed.cursors()).toEqual(Array.from({ length: 602 }, (_, index) => 101 + index));
    expect(first.cursors()).toEqual([701, 702]);
  });

  test('reports a gap if missed events were removed', async () => {
    const store = createOutbox();
    const stream = start(store);
    store.commit(...Array.from({ length: 20 }, () => PUBLISHED));
    store.forgetBefore(15);
    const reader = await follow(stream, { since: '3' });
    await settle();
    expect(reader.names()[0]).toBe('_gap');
    expect(reader.cursors()).toEqual([15, 16, 17, 18, 19, 20]);
    store.forgetBefore(21);
    const late = await follow(stream, { since: '3' });
    store.commit(INGESTED);
    await settle();
    expect(late.names()).toEqual(['_gap', INGESTED]);
    const current = await follow(stream, { since: '21' });
    await settle();
    expect(current.names()).toEqual([]);
  });

  test('reports a gap of a single event only to readers that missed the event', async () => {
    const store = createOutbox();
    const stream = start(store);
    store.commit(...Array.from({ length: 20 }, () => PUBLISHED));
    store.forgetBefore(15);
    const missed = await follow(stream, { since: '13' });
    const current = await follow(stream, { since: '14' });
    await settle();
    expect(missed.names()[0]).toBe('_gap');
    expect(current.names()).not.toContain('_gap');
    for (const reader of [missed, current]) {
      expect(reader.cursors()).toEqual([15, 16, 17, 18, 19, 20]);
    }
  });

  test('reports a gap if events were removed before this process read them', async () => {
    const store = createOutbox();
    const stream = start(store);
    const live = await follow(stream);
    const filtered = await follow(stream, { types: [INGESTED] });
    const slow = await follow(stream, {}, 1);
    store.commit(PUBLISHED, PUBLISHED);
    await settle();
    store.append(...Array.from({ length: 20 }, () => PUBLISHED));
    store.forgetBefore(15);
    vi.advanceTimersByTime(1000);
    await settle();
    expect(live.names()[2]).toBe('_gap');
    expect(live.cursors()).toEqual([1, 2, 15, 16, 17, 18, 19, 20, 21, 22]);
    store.append(INGESTED);
    store.forgetBefore(24);
    vi.advanceTimersByTime(1000);
    await settle();
    expect(live.names().at(-1)).toBe('_gap');
    store.commit(INGESTED);
    slow.room = Infinity;
    slow.drain();
    await settle();
    for (const reader of [live, filtered, slow]) {
      expect(reader.lines().slice(-2)).toEqual([
        { event: '_gap' },
        { ...body(INGESTED), cursor: '24' },
      ]);
    }
  });

  test('reports a gap for a cursor after the newest event, because the registry was set back', async () => {
    const store = createOutbox();
    store.append(PUBLISHED);
    const reader = await follow(start(store), { since: '900' });
    store.commit(INGESTED);
    await settle();
    expect(reader.names()).toEqual(['_gap', INGESTED]);
  });

  test('accepts a cursor of another process that this process has not reached yet', async () => {
    const store = createOutbox();
    const stream = start(store);
    await follow(stream);
    store.append(PUBLISHED, PUBLISHED);
    const reader = await follow(stream, { since: '2' });
    store.commit(INGESTED);
    await settle();
    expect(reader.names()).toEqual([INGESTED]);
  });

  describe('event stream after a failover to a server without the newest events', () => {
    const TEN = Array.from({ length: 10 }, () => PUBLISHED);

    function replacementEvent(trace_id: string): EventBody {
      return { ...body(INGESTED), trace_id };
    }

    test('reports a gap to every reader and continues with new events', async () => {
      const store = createOutbox();
      const stream = start(store);
      const live = await follow(stream);
      const filtered = await follow(stream, { types: [INGESTED] });
      const slow = await follow(stream, {}, 1);
      store.commit(...TEN);
      await settle();
      store.loseTail(3);
      vi.advanceTimersByTime(1000);
      await settle();
      expect(live.names()).toEqual([...TEN, '_gap']);
      expect(filtered.names()).toEqual(['_gap']);
      expect(stream.positions().get(TENANT)).toBe(7);
      store.commit(replacementEvent('new 8'));
      slow.room = Infinity;
      slow.drain();
      await settle();
      const news = { ...replacementEvent('new 8'), cursor: '8' };
      for (const reader of [live, filtered, slow]) {
        expect(reader.lines().slice(-2)).toEqual([{ event: '_gap' }, news]);
      }
      const late = await follow(stream, { since: '6' });
      await settle();
      expect(late.lines()).toEqual([{ ...body(PUBLISHED), cursor: '7' }, news]);
    });

    test('reports a gap if the new server has already reused the lost sequences', async () => {
      const store = createOutbox();
      const stream = start(store);
      const reader = await follow(stream);
      store.commit(...TEN);
      await settle();
      store.loseTail(3);
      store.commit(...['8', '9', '10', '11', '12'].map((trace) => replacementEvent(trace)));
      await settle();
      expect(reader.names()).toEqual([...TEN, '_gap']);
      store.commit(replacementEvent('13'));
      await settle();
      expect(reader.lines().at(-1)).toEqual({ ...replacementEvent('13'), cursor: '13' });
      // A channel that opens at the end of the outbox knows only that position.
      const other = start(store);
      const newcomer = await follow(other);
      store.loseTail(1);
      store.commit(replacementEvent('other 13'), replacementEvent('14'));
      await settle();
      expect(newcomer.names()).toEqual(['_gap']);
    });

    test('reports the gap once to a reader that catches up', async () => {
      const store = createOutbox();
      store.append(...TEN);
      const stream = start(store);
      await follow(stream);
      const { listAfter } = store.outbox;
      let goOn = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      store.outbox.listAfter = async (tenant, sequence, limit) => {
        const page = await listAfter(tenant, sequence, limit);
        if (sequence === 3) await held;
        return page;
      };
      const reader = await follow(stream, { since: '3' });
      store.loseTail(3);
      store.commit(replacementEvent('8'));
      await settle();
      goOn();
      await settle();
      store.commit(replacementEvent('9'));
      await settle();
      expect(reader.names()).toEqual(['_gap', INGESTED]);
      expect(reader.cursors()).toEqual([9]);
    });

    test('reports the gap to a reader that opened before the failover and attaches after it', async () => {
      const store = createOutbox();
      store.append(...TEN);
      const stream = start(store);
      await follow(stream);
      const opened = await stream.open(TENANT, { types: [], since: '10' });
      store.loseTail(3);
      store.commit();
      await settle();
      const reader = createReader();
      opened.attach(reader);
      store.commit(replacementEvent('8'));
      await settle();
      expect(reader.names()).toEqual(['_gap', INGESTED]);
    });

    test('treats a lagging standby as intact', async () => {
      const store = createOutbox();
      const stream = start(store);
      const reader = await follow(stream);
      store.commit(...TEN);
      await settle();
      for (const mode of ['ready', 'read_only'] as const) {
        store.mode = mode;
        store.readFromStandby(3);
        vi.advanceTimersByTime(30_000);
        await settle();
      }
      store.mode = 'ready';
      store.readFromStandby(0);
      store.commit(INGESTED);
      await settle();
      expect(reader.names()).toEqual([...TEN, '_heartbeat', '_heartbeat', INGESTED]);
    });

    test('reports no gap to readers that got the removed events', async () => {
      const store = createOutbox();
      const stream = start(store);
      const reader = await follow(stream);
      store.commit(...TEN);
      await settle();
      store.forgetBefore(11);
      vi.advanceTimersByTime(1000);
      await settle();
      store.commit(INGESTED);
      await settle();
      expect(reader.names()).toEqual([...TEN, INGESTED]);
    });
  });

  test('a slow reader loses no events, delays no other reader and needs little memory', async () => {
    const store = createOutbox();
    const stream = start(store);
    const slow = await follow(stream, {}, 1000);
    const quick = await follow(stream);
    for (let round = 0; round < 100; round += 1) {
      store.commit(...Array.from({ length: 10 }, () => PUBLISHED));
      await settle();
    }
    expect(quick.cursors()).toHaveLength(1000);
    expect(slow.cursors().length).toBeLessThan(1000);
    const behind = slow.most_buffered;
    while (slow.cursors().length < 1000) {
      slow.drain();
      await settle();
    }
    expect(slow.cursors()).toEqual(quick.cursors());
    expect(behind).toBeLessThan(3000);
    expect(slow.most_buffered).toBeLessThan(20_000);
  });

  test('a slow reader reads events from the outbox that memory no longer has', async () => {
    const store = createOutbox();
    const stream = start(store);
    const slow = await follow(stream, {}, 1);
    // More than the memory of recent lines.
    const large = { pad: 'x'.repeat(1000) };
    for (let step = 0; step < 20; step += 1) {
      store.append(...Array.from({ length: 1000 }, () => ({ ...body(PUBLISHED), data: large })));
    }
    store.commit();
    await vi.waitFor(async () => {
      await settle();
      expect(stream.positions().get(TENANT)).toBe(20_000);
    }, 10_000);
    expect(slow.cursors().length).toBeLessThan(1000);
    store.forgetBefore(19_990);
    for (let turn = 0; turn < 5; turn += 1) {
      slow.drain();
      await settle();
    }
    const names = slow.names();
    expect(names.filter((name) => name === '_gap')).toHaveLength(1);
    const after = slow.lines().slice(names.indexOf('_gap') + 1);
    expect(after.map(({ cursor }) => cursor)).toEqual(
      Array.from({ length: 11 }, (_, index) => String(19_990 + index)),
    );
  });

  test('a reader that catches up while others are served gets no duplicates', async () => {
    const store = createOutbox();
    const stream = start(store);
    const first = await follow(stream);
    for (let count = 0; count < 600; count += 1) await follow(stream);
    const last = await follow(stream, {}, 1);
    store.commit(PUBLISHED);
    await settle();
    last.room = Infinity;
    first.onWrite = () => {
      setImmediate(() => last.drain());
    };
    store.commit(INGESTED);
    await settle();
    expect(last.names()).toEqual([PUBLISHED, INGESTED]);
  });

  test('a reader that reads from the outbox does not overtake the channel', async () => {
    const store = createOutbox();
    const stream = start(store);
    store.append(PUBLISHED, PUBLISHED);
    const early = await follow(stream);
    store.append(INGESTED);
    const reader = await follow(stream, { since: '1' });
    await settle();
    store.commit(INGESTED);
    await settle();
    expect(early.cursors()).toEqual([3, 4]);
    expect(reader.cursors()).toEqual([2, 3, 4]);
  });

  test('sends a heartbeat every 30 seconds with the cursor to resume from', async () => {
    const store = createOutbox();
    const reader = await follow(start(store), { types: [INGESTED] });
    store.commit(PUBLISHED);
    vi.advanceTimersByTime(29_999);
    await settle();
    expect(reader.lines()).toEqual([]);
    vi.advanceTimersByTime(1);
    await settle();
    expect(reader.lines()).toEqual([{ event: '_heartbeat', cursor: '1' }]);
    vi.advanceTimersByTime(30_000);
    await settle();
    expect(reader.names()).toEqual(['_heartbeat', '_heartbeat']);
  });

  test('drops a closed reader, and the channel of a tenant without readers', async () => {
    const store = createOutbox();
    const stream = start(store);
    const reader = await follow(stream);
    reader.subscription?.close();
    store.commit(PUBLISHED);
    vi.advanceTimersByTime(2000);
    await settle();
    expect(reader.names()).toEqual([]);
    expect(stream.positions().get(TENANT)).toBeUndefined();
    const next = await follow(stream);
    store.commit(INGESTED);
    await settle();
    expect(next.names()).toEqual([INGESTED]);
  });

  test('closing a subscription twice does not affect other readers', async () => {
    const store = createOutbox();
    const stream = start(store);
    const first = await follow(stream);
    first.subscription?.close();
    const second = await follow(stream);
    first.subscription?.close();
    store.commit(PUBLISHED);
    await settle();
    expect(second.names()).toEqual([PUBLISHED]);
  });

  test('close ends every reader, including readers attached later', async () => {
    const store = createOutbox();
    const stream = start(store);
    const reader = await follow(stream);
    const opened = await stream.open(TENANT, { types: [], since: undefined });
    stream.close();
    const late = createReader();
    opened.attach(late).close();
    expect([reader.isEnded, late.isEnded]).toEqual([true, true]);
    expect(store.listeners.size).toBe(0);
  });

  test('reads again at the next poll after a failed read', async () => {
    const store = createOutbox();
    const { listAfter } = store.outbox;
    const reader = await follow(start(store));
    store.outbox.listAfter = async () => {
      throw new Error('locked');
    };
    store.commit(PUBLISHED);
    await settle();
    store.outbox.listAfter = listAfter;
    vi.advanceTimersByTime(1000);
    await settle();
    expect(reader.names()).toEqual([PUBLISHED]);
  });

  test.each([
    [{ types: ['artifact.publised'], since: undefined }, 'type'],
    [{ types: ['_heartbeat'], since: undefined }, 'type'],
    [{ types: [], since: 'yesterday' }, 'since'],
    [{ types: [], since: '-1' }, 'since'],
  ])('rejects %j', async (request, argument) => {
    await expect(start(createOutbox()).open(TENANT, request)).rejects.toMatchObject({
      code: 'registry.invalid_argument',
      details: { argument },
    });
  });

  test('readers of any speed get every event of their types once and in order', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({
          kind: fc.constant('commit' as const),
          count: fc.integer({ min: 1, max: 300 }),
        }),
        fc.record({ kind: fc.constant('drain' as const) }),
        fc.record({ kind: fc.constant('join' as const), back: fc.nat(400), room: fc.nat(4000) }),
        fc.record({ kind: fc.constant('beat' as const) }),
      ),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const store = createOutbox();
        const stream = start(store);
        const readers: { reader: ReturnType<typeof createReader>; since: number }[] = [];
        let committed = 0;
        for (const step of script) {
          if (step.kind === 'commit') {
            committed += step.count;
            store.commit(...Array.from({ length: step.count }, () => PUBLISHED));
          } else if (step.kind === 'join') {
            const since = Math.max(0, committed - step.back);
            readers.push({ reader: await follow(stream, { since: `${since}` }, step.room), since });
          } else if (step.kind === 'beat') vi.advanceTimersByTime(30_000);
          else for (const { reader } of readers) reader.drain();
        }
        for (const { reader, since } of readers) {
          const events = () =>
            reader.lines().flatMap(({ event, cursor }) => (event === PUBLISHED ? [cursor] : []));
          for (let turn = 0; turn < 2000 && events().length < committed - since; turn += 1) {
            reader.drain();
            await new Promise((resolve) => setImmediate(resolve));
          }
          await settle();
          expect(events()).toEqual(
            Array.from({ length: committed - since }, (_, index) => `${since + index + 1}`),
          );
        }
        stream.close();
      }),
      { numRuns: 40 },
    );
  });
});
