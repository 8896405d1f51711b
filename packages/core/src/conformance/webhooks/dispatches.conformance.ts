import { describe, expect, test } from 'vitest';
import { TEST_EVENT, type DispatchResult } from '../../ports/dispatches.ts';
import type { Store } from '../../ports/store.ts';
import {
  openForTest,
  sampleEvent,
  sampleTenant,
  T1,
  T2,
  T3,
  type OpenStore,
} from '../samples.conformance.ts';
import { sampleDispatch, sampleReceiver } from './samples.conformance.ts';

async function openWithReceiver(open: OpenStore): Promise<Store> {
  const store = await openForTest(open);
  await store.transaction(({ receivers }) => receivers.add(1, sampleReceiver('r')));
  return store;
}

const CLAIM = { now: T1, until: T2, worker: 'w', limit: 10 };

function delivered(id: string, fence: number): DispatchResult {
  return {
    id,
    fence,
    state: 'delivered',
    attempts: 1,
    not_before: T1,
    last_attempt: T2,
    status: 204,
    duration_ms: 12,
    response: 'ünï "quoted" \\ text\n',
    error: null,
  };
}

export function dispatchesConformance(open: OpenStore): void {
  describe('dispatches', () => {
    test('are added once, together with the cursor of their receiver', async () => {
      const store = await openWithReceiver(open);
      const advance = (from: number, to: number, id: string) =>
        store.transaction(({ dispatches }) =>
          dispatches.advance(1, 'r', {
            from,
            to,
            window_end: T3,
            dispatches: [sampleDispatch(id), sampleDispatch(`${id} too`)],
          }),
        );
      expect(await Promise.all([advance(0, 4, 'a'), advance(0, 4, 'b')])).toContain(false);
      expect(await store.receivers.get(1, 'r')).toMatchObject({ cursor: 4, window_end: T3 });
      expect(await store.dispatches.countPending(1, 'r', T1)).toEqual({ pending: 2, due: 2 });
      expect(await advance(4, 5, 'c')).toBe(true);
      await store.transaction(async ({ receivers }) => {
        await receivers.define(1, 'r', sampleReceiver('r', { disabled_by: 'admin' }));
      });
      expect(await advance(5, 6, 'd')).toBe(false);
      expect(await store.dispatches.countPending(1, 'r', T1)).toEqual({ pending: 4, due: 4 });
    });

    test('are claimed when due, the longest due first, by one worker', async () => {
      const store = await openWithReceiver(open);
      await store.transaction(async ({ dispatches }) => {
        await dispatches.add(1, sampleDispatch('later', { not_before: T2 }));
        await dispatches.add(1, sampleDispatch('due'));
        await dispatches.add(1, sampleDispatch('not yet', { not_before: T3 }));
        await dispatches.add(1, sampleDispatch('of another', { receiver: 'other' }));
      });
      const claim = (limit: number) =>
        store.transaction(({ dispatches }) =>
          dispatches.claim(1, 'r', { now: T2, until: T3, worker: 'w', limit }),
        );
      const [first] = await claim(1);
      expect(first).toEqual({
        ...sampleDispatch('due', { not_before: T3, worker: 'w' }),
        state: 'pending',
        attempts: 0,
        fence: 1,
        last_attempt: null,
        status: null,
        duration_ms: null,
        response: null,
        error: null,
      });
      expect((await claim(9)).map(({ id }) => id)).toEqual(['later']);
      expect(await claim(9)).toEqual([]);
      expect(await store.dispatches.listWorkers()).toEqual(['w']);
    });

    test('that are pending are claimed by two workers without an overlap', async () => {
      const store = await openWithReceiver(open);
      const ids = Array.from({ length: 20 }, (_, at) => `d${at}`);
      await store.transaction(async ({ dispatches }) => {
        for (const id of ids) await dispatches.add(1, sampleDispatch(id));
      });
      const claim = (worker: string) =>
        store.transaction(({ dispatches }) =>
          dispatches.claim(1, 'r', { ...CLAIM, worker, limit: 12 }),
        );
      const claimed = [...(await claim('one')), ...(await claim('two'))].map(({ id }) => id);
      expect(claimed.toSorted()).toEqual(ids.toSorted());
    });

    test('of a worker that lost its claim are due again', async () => {
      const store = await openWithReceiver(open);
      await store.transaction(async ({ dispatches }) => {
        for (const id of ['held', 'lost']) await dispatches.add(1, sampleDispatch(id));
        await dispatches.claim(1, 'r', { ...CLAIM, worker: 'w', limit: 9 });
        await dispatches.add(1, sampleDispatch('of another worker'));
        await dispatches.claim(1, 'r', { ...CLAIM, worker: 'v', limit: 9 });
        await dispatches.add(1, sampleDispatch('unclaimed'));
      });
      const endUnheld = (receiver: string) =>
        store.transaction(({ dispatches }) =>
          dispatches.endUnheldClaims(1, receiver, { worker: 'w', held: ['held'], now: T1 }),
        );
      expect(await endUnheld('other')).toBe(0);
      expect(await endUnheld('r')).toBe(1);
      expect(await store.dispatches.get(1, 'r', 'lost')).toMatchObject({
        worker: null,
        not_before: T1,
      });
      const claimed = await store.transaction(({ dispatches }) =>
        dispatches.claim(1, 'r', { ...CLAIM, worker: 'w', limit: 9 }),
      );
      expect(claimed.map(({ id }) => id).toSorted()).toEqual(['lost', 'unclaimed']);
    });

    test('finish with the result of the last claim', async () => {
      const store = await openWithReceiver(open);
      await store.transaction(async ({ dispatches }) => {
        await dispatches.add(1, sampleDispatch('done'));
        await dispatches.add(1, sampleDispatch('again'));
        await dispatches.claim(1, 'r', CLAIM);
        await dispatches.finish(1, 'r', [
          delivered('done', 1),
          { ...delivered('again', 1), state: 'pending', not_before: T3, error: 'no', status: null },
        ]);
      });
      expect(await store.dispatches.get(1, 'r', 'done')).toEqual({
        ...sampleDispatch('done'),
        ...delivered('done', 1),
      });
      expect(await store.dispatches.get(1, 'r', 'again')).toMatchObject({
        state: 'pending',
        not_before: T3,
        worker: null,
        error: 'no',
        status: null,
      });
      expect(await store.dispatches.countPending(1, 'r', T2)).toEqual({ pending: 1, due: 0 });
      expect(await store.dispatches.listWorkers()).toEqual([]);
      await store.transaction(async ({ dispatches }) => {
        await dispatches.claim(1, 'r', { ...CLAIM, now: T3 });
        await dispatches.finish(1, 'r', [delivered('again', 1)]);
      });
      expect(await store.dispatches.get(1, 'r', 'again')).toMatchObject({
        state: 'pending',
        fence: 2,
      });
    });

    test('of tests delay events only if they are due', async () => {
      const store = await openWithReceiver(open);
      await store.transaction(async ({ dispatches }) => {
        const test_of = { event: TEST_EVENT, cursor: 1 };
        await dispatches.add(1, sampleDispatch('test', { ...test_of, not_before: T3 }));
        await dispatches.add(1, sampleDispatch('event', { cursor: 2 }));
      });
      expect(await store.dispatches.countPending(1, 'r', T1)).toEqual({ pending: 1, due: 1 });
      const claim = (now: string) =>
        store.transaction(({ dispatches }) => dispatches.claimOldest(1, 'r', { ...CLAIM, now }));
      expect(await claim(T1)).toMatchObject({ id: 'event' });
      expect(await claim(T1)).toBeUndefined();
      expect(await claim(T3)).toMatchObject({ id: 'test' });
      expect(await store.dispatches.countPending(1, 'r', T1)).toMatchObject({ pending: 1 });
    });

    test('of a worker that is gone are due immediately', async () => {
      const store = await openWithReceiver(open);
      await store.transaction(async ({ dispatches }) => {
        await dispatches.add(1, sampleDispatch('a'));
        await dispatches.claim(1, 'r', { ...CLAIM, until: T3 });
        await dispatches.endClaims('another');
      });
      const claim = () =>
        store.transaction(({ dispatches }) => dispatches.claim(1, 'r', { ...CLAIM, now: T2 }));
      expect(await claim()).toEqual([]);
      await store.transaction(({ dispatches }) => dispatches.endClaims('w'));
      expect((await claim()).map(({ id, fence }) => [id, fence])).toEqual([['a', 2]]);
    });

    test('restart, one of them or all that failed since a time', async () => {
      const store = await openWithReceiver(open);
      const failed = (id: string, created_at: string) => async (of: Store) =>
        of.transaction(async ({ dispatches }) => {
          await dispatches.add(1, sampleDispatch(id, { created_at, not_before: T1 }));
          await dispatches.claim(1, 'r', CLAIM);
          await dispatches.finish(1, 'r', [{ ...delivered(id, 1), state: 'failed' }]);
        });
      await failed('old', T1)(store);
      await failed('new', T2)(store);
      const restarted = await store.transaction(({ dispatches }) =>
        dispatches.restartFailed(1, 'r', T2, T3),
      );
      expect(restarted).toBe(1);
      expect(await store.dispatches.get(1, 'r', 'old')).toMatchObject({ state: 'failed' });
      const again = { state: 'pending', attempts: 0, not_before: T3, worker: null };
      expect(await store.dispatches.get(1, 'r', 'new')).toMatchObject(again);
      const one = (id: string) =>
        store.transaction(({ dispatches }) => dispatches.restart(1, 'r', id, T3));
      expect(await one('old')).toMatchObject({ id: 'old', ...again });
      expect(await one('unknown')).toBeUndefined();
    });

    test('are claimed one at a time by the age of their event, and wait for the oldest', async () => {
      const store = await openWithReceiver(open);
      const claimOldest = (now: string) =>
        store.transaction(({ dispatches }) =>
          dispatches.claimOldest(1, 'r', { now, until: T3, worker: 'w' }),
        );
      await store.transaction(async ({ dispatches }) => {
        await dispatches.add(1, sampleDispatch('third', { cursor: 12 }));
        await dispatches.add(1, sampleDispatch('second', { cursor: 9 }));
        await dispatches.add(1, sampleDispatch('first', { cursor: 2, not_before: T2 }));
      });
      expect(await claimOldest(T1)).toBeUndefined();
      const first = await claimOldest(T2);
      expect(first).toMatchObject({ id: 'first', fence: 1, worker: 'w', not_before: T3 });
      expect(await claimOldest(T2)).toBeUndefined();
      await store.transaction(({ dispatches }) =>
        dispatches.finish(1, 'r', [delivered('first', 1)]),
      );
      expect(await claimOldest(T2)).toMatchObject({ id: 'second' });
    });

    test('are listed newest first, in pages and by state', async () => {
      const store = await openWithReceiver(open);
      await store.transaction(async ({ dispatches }) => {
        await dispatches.add(1, sampleDispatch('a', { created_at: T1 }));
        await dispatches.add(1, sampleDispatch('b', { created_at: T2 }));
        await dispatches.add(1, sampleDispatch('c', { created_at: T2 }));
        await dispatches.claim(1, 'r', { ...CLAIM, limit: 1 });
        await dispatches.finish(1, 'r', [delivered('a', 1), delivered('b', 1), delivered('c', 1)]);
        await dispatches.add(1, sampleDispatch('d', { created_at: T3 }));
      });
      const list = async (page: Parameters<Store['dispatches']['list']>[2]) =>
        (await store.dispatches.list(1, 'r', page)).map(({ id }) => id);
      expect(await list({ limit: 3 })).toEqual(['d', 'c', 'b']);
      expect(await list({ limit: 3, after: { created_at: T2, id: 'b' } })).toEqual(['a']);
      expect(await list({ limit: 3, state: 'delivered' })).toHaveLength(1);
      expect(await store.dispatches.list(2, 'r', { limit: 3 })).toEqual([]);
    });

    test('are counted and pruned after they have finished', async () => {
      const store = await openWithReceiver(open);
      await store.transaction(async ({ dispatches, receivers }) => {
        await receivers.add(2, sampleReceiver('off', { disabled_by: 'gone' }));
        await dispatches.add(2, sampleDispatch('waiting', { created_at: T2, receiver: 'off' }));
        for (const id of ['a', 'b', 'c']) await dispatches.add(1, sampleDispatch(id));
        await dispatches.claim(1, 'r', CLAIM);
        await dispatches.finish(
          1,
          'r',
          ['a', 'b'].map((id) => delivered(id, 1)),
        );
      });
      expect(await store.dispatches.depth()).toEqual({
        pending: 2,
        oldest_created_at: T1,
        disabled_receivers: 1,
      });
      const prune = (before: string) =>
        store.transaction(({ dispatches }) => dispatches.prune(1, before, 1));
      expect([await prune(T1), await prune(T2), await prune(T2), await prune(T2)]).toEqual([
        0, 1, 1, 0,
      ]);
      expect(await store.dispatches.countPending(1, 'r', T3)).toMatchObject({ pending: 1 });
    });

    test('are due for receivers with events or dispatches, of active tenants', async () => {
      const store = await openForTest(open);
      await store.transaction(async ({ tenants, outbox, receivers, dispatches }) => {
        for (const [number, active] of [
          [1, true],
          [2, false],
          [3, true],
        ] as const) {
          await tenants.create(sampleTenant(`t${number}`, { active }), number);
          await outbox.append(number, [sampleEvent('layer.ingested')]);
        }
        const newest = { cursor: 1 };
        await receivers.add(1, sampleReceiver('behind'));
        await receivers.add(1, sampleReceiver('set back', { cursor: 8 }));
        await receivers.add(1, sampleReceiver('up to date', newest));
        await receivers.add(1, sampleReceiver('window open', { window_end: T3 }));
        await receivers.add(1, sampleReceiver('window ended', { window_end: T2 }));
        await receivers.add(1, sampleReceiver('paused', { paused_until: T3 }));
        await receivers.add(1, sampleReceiver('disabled', { disabled_by: 'gone' }));
        await receivers.add(2, sampleReceiver('inactive'));
        await receivers.add(3, sampleReceiver('retry', newest));
        await receivers.add(3, sampleReceiver('later', newest));
        await dispatches.add(3, sampleDispatch('a', { receiver: 'retry', not_before: T2 }));
        await dispatches.add(3, sampleDispatch('b', { receiver: 'later', not_before: T3 }));
      });
      expect(await store.dispatches.listDue(T2)).toEqual([
        { tenant: 1, receiver: 'behind' },
        { tenant: 1, receiver: 'set back' },
        { tenant: 1, receiver: 'window ended' },
        { tenant: 3, receiver: 'retry' },
      ]);
    });
  });
}
