import { describe, expect, test } from 'vitest';
import { openForTest, T1, T2, T3, type OpenStore } from '../samples.conformance.ts';
import { sampleDispatch, sampleReceiver } from './samples.conformance.ts';

export function receiversConformance(open: OpenStore): void {
  describe('receivers', () => {
    test('are read as they were added, in order, by their own tenant only', async () => {
      const store = await openForTest(open);
      const full = sampleReceiver('a', {
        created_at: T2,
        previous_secret: 'older',
        previous_secret_until: T3,
        event_filter: ['layer.ingested', 'artifact.published'],
        debounce_ms: 30_000,
        ordered: true,
        disabled_by: 'admin',
        cursor: 5_000_000_000,
        window_end: T3,
        paused_until: T3,
        failure_count: 7,
        failing_since: T1,
        last_delivery: T1,
        last_failure: T2,
      });
      await store.transaction(async ({ receivers }) => {
        await receivers.add(1, full);
        await receivers.add(1, sampleReceiver('b'));
        await receivers.add(2, sampleReceiver('a'));
      });
      expect(await store.receivers.list(1)).toEqual([sampleReceiver('b'), full]);
      expect(await store.receivers.get(1, 'a')).toEqual(full);
      expect(await store.receivers.get(2, 'a')).toEqual(sampleReceiver('a'));
      expect(await store.receivers.get(2, 'b')).toBeUndefined();
    });

    test('keep their state except for the open window if they are redefined', async () => {
      const store = await openForTest(open);
      const before = sampleReceiver('a', { cursor: 9, window_end: T3, failure_count: 2 });
      const definition = {
        url: 'https://other.example.com/',
        secret: 'new',
        previous_secret: 'a secret',
        previous_secret_until: T2,
        event_filter: ['domain.published'],
        debounce_ms: 1000,
        ordered: true,
        disabled_by: 'admin',
      } as const;
      await store.transaction(async ({ receivers }) => {
        await receivers.add(1, before);
        await receivers.define(1, 'a', definition);
      });
      expect(await store.receivers.get(1, 'a')).toEqual({
        ...before,
        ...definition,
        window_end: null,
      });
    });

    test('store their health and their cursor', async () => {
      const store = await openForTest(open);
      const health = {
        disabled_by: 'failures',
        paused_until: T3,
        failure_count: 32,
        failing_since: T1,
        last_delivery: T1,
        last_failure: T2,
      } as const;
      await store.transaction(async ({ receivers }) => {
        await receivers.add(1, sampleReceiver('a', { window_end: T3 }));
        await receivers.setHealth(1, 'a', health);
      });
      const changed = sampleReceiver('a', { window_end: T3, ...health });
      expect(await store.receivers.get(1, 'a')).toEqual(changed);
      await store.transaction(({ receivers }) => receivers.setCursor(1, 'a', 4));
      expect(await store.receivers.get(1, 'a')).toEqual({
        ...changed,
        cursor: 4,
        window_end: null,
      });
    });

    test('are removed with their dispatches', async () => {
      const store = await openForTest(open);
      const removed = await store.transaction(async ({ receivers, dispatches }) => {
        await receivers.add(1, sampleReceiver('r'));
        await receivers.add(1, sampleReceiver('other'));
        await dispatches.add(1, sampleDispatch('d'));
        await dispatches.add(1, sampleDispatch('kept', { receiver: 'other' }));
        return [await receivers.remove(1, 'r'), await receivers.remove(1, 'r')];
      });
      expect(removed).toEqual([true, false]);
      expect(await store.dispatches.get(1, 'r', 'd')).toBeUndefined();
      expect(await store.dispatches.get(1, 'other', 'kept')).toBeDefined();
    });

    test('are locked by one transaction at a time', async () => {
      const store = await openForTest(open);
      await store.transaction(({ receivers }) => receivers.add(1, sampleReceiver('r')));
      const count = () =>
        store.transaction(async ({ receivers }) => {
          const receiver = await receivers.lock(1, 'r');
          if (receiver === undefined) throw new Error('the receiver is gone');
          const failure_count = receiver.failure_count + 1;
          await receivers.setHealth(1, 'r', { ...receiver, failure_count });
        });
      await Promise.all([count(), count(), count()]);
      expect((await store.receivers.get(1, 'r'))?.failure_count).toBe(3);
    });
  });
}
