import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  createLayers,
  openForTest,
  sampleEvent,
  newHead,
  sampleLayer,
  sampleReport,
  sampleRequest,
  T1,
  T2,
  type OpenStore,
} from '../samples.conformance.ts';

export function unitOfWorkConformance(open: OpenStore): void {
  describe('unit of work', () => {
    test('returns the result of the work and commits its writes', async () => {
      const store = await openForTest(open);
      const answer = await store.transaction(async (writes) => {
        await writes.layers.create(1, sampleLayer('a'));
        return 'done';
      });
      expect(answer).toBe('done');
      expect(await store.layers.get(1, 'a')).toMatchObject({ id: 'a' });
    });

    test('sees its own writes', async () => {
      const store = await openForTest(open);
      await store.transaction(async (writes) => {
        const { number } = await writes.layers.create(1, sampleLayer('a'));
        await writes.versions.putHeads(1, number, [newHead({ id: 'x' })]);
        expect(await writes.versions.listHeadsOf(1, [number], ['x'])).toHaveLength(1);
      });
    });

    test('rolls back if the work fails and throws the failure', async () => {
      const store = await openForTest(open);
      const [layer] = await createLayers(store, 1, ['a']);
      const number = layer?.number ?? 0;
      const before = await store.layers.revision(1);
      const failure = new Error('no');
      const failed = store.transaction(async (writes) => {
        await writes.layers.create(1, sampleLayer('b'));
        await writes.versions.putHeads(1, number, [newHead({ id: 'x' })]);
        await writes.outbox.append(1, [sampleEvent('lost')]);
        await writes.jobs.enqueue(1, {
          job: 'j',
          layer_id: 'a',
          request: sampleRequest(),
          now: T1,
        });
        throw failure;
      });
      await expect(failed).rejects.toBe(failure);
      expect(await store.layers.list(1)).toHaveLength(1);
      expect(await store.versions.listHeadsOf(1, [number], ['x'])).toEqual([]);
      expect(await store.versions.countView(1, [number])).toMatchObject({ artifact_count: 0 });
      expect(await store.outbox.bounds(1)).toEqual({ oldest: 0, newest: 0 });
      expect(await store.jobs.depth()).toMatchObject({ queued: 0 });
      expect(await store.layers.revision(1)).toBe(before);
    });

    test('is invisible to readers before the commit', async () => {
      const store = await openForTest(open);
      await createLayers(store, 1, ['a']);
      const half = Promise.withResolvers<void>();
      const readStarted = Promise.withResolvers<void>();
      const written = store.transaction(async (writes) => {
        await writes.layers.create(1, sampleLayer('b'));
        half.resolve();
        await readStarted.promise;
        await nextTurn();
        await writes.layers.create(1, sampleLayer('c'));
      });
      await half.promise;
      const seen = store.layers.list(1);
      const revision = await store.layers.revision(1);
      readStarted.resolve();
      // The read may wait for the transaction, but must not see its intermediate state.
      expect([1, 3]).toContain((await seen).length);
      await written;
      expect(await store.layers.list(1)).toHaveLength(3);
      expect(await store.layers.revision(1)).toBeGreaterThan(revision);
    });

    test('serializes changes of a tenant from the first read of that tenant', async () => {
      const store = await openForTest(open);
      const order: string[] = [];
      await Promise.all(
        ['a', 'b', 'c', 'd'].map((id) =>
          store.transaction(async (writes) => {
            const others = await writes.layers.list(1);
            order.push(id);
            await nextTurn();
            expect(await writes.layers.list(1)).toEqual(others);
            await writes.layers.create(1, sampleLayer(id));
            await writes.outbox.append(1, [sampleEvent(id)]);
            await nextTurn();
            expect(order.at(-1)).toBe(id);
          }),
        ),
      );
      const events = await store.outbox.listAfter(1, 0, 10);
      expect(events.map(({ body }) => body.data['id'])).toEqual(order);
      expect(await store.layers.list(1)).toHaveLength(4);
    });

    test('runs after a failed transaction', async () => {
      const store = await openForTest(open);
      const failed = store.transaction(async () => {
        throw new Error('no');
      });
      const next = store.transaction(async (writes) => writes.layers.create(1, sampleLayer('a')));
      await expect(failed).rejects.toThrow('no');
      expect(await next).toMatchObject({ id: 'a' });
    });

    test('rejects a nested transaction', async () => {
      const store = await openForTest(open);
      const nested = store.transaction(() => store.transaction(async () => 'inner'));
      await expect(nested).rejects.toThrow('inside another');
      expect(await store.transaction(async () => 'after')).toBe('after');
    });

    test('rejects writes after its end', async () => {
      const store = await openForTest(open);
      const kept = await store.transaction(async (writes) => writes);
      await expect(kept.layers.create(1, sampleLayer('late'))).rejects.toThrow('has ended');
      expect(await store.layers.list(1)).toEqual([]);
    });

    test('commits nothing after a failed write, even if the work continues', async () => {
      const store = await openForTest(open);
      const failed = store.transaction(async (writes) => {
        await writes.layers.create(1, sampleLayer('a'));
        await writes.layers.create(1, sampleLayer('a')).catch(() => {});
        await writes.layers.create(1, sampleLayer('b'));
      });
      await expect(failed).rejects.toThrow();
      expect(await store.layers.list(1)).toEqual([]);
    });

    test('isolates tenants', async () => {
      const store = await openForTest(open);
      await createLayers(store, 1, ['a']);
      expect(await store.layers.list(2)).toEqual([]);
      expect(await store.layers.revision(2)).toBe(0);
    });

    test('notifies listeners only after a commit with events or with queued or finished jobs', async () => {
      const store = await openForTest(open);
      let calls = 0;
      const stop = store.onCommit(() => (calls += 1));
      await store.transaction(async (writes) => {
        await writes.layers.create(1, sampleLayer('a'));
      });
      await nextTurn();
      expect(calls).toBe(0);
      await store.transaction(async (writes) => {
        await writes.outbox.append(1, [sampleEvent('x'), sampleEvent('y')]);
      });
      await nextTurn();
      expect(calls).toBe(1);
      const job = { job: 'j', layer_id: 'a', request: sampleRequest(), now: T1 };
      await store.transaction(async (writes) => void (await writes.jobs.enqueue(1, job)));
      await nextTurn();
      expect(calls).toBe(2);
      const worker = { name: 'w', now: T1, lease_until: T2 };
      const claimed = await store.transaction(({ jobs }) => jobs.claim(worker));
      await nextTurn();
      expect(calls).toBe(2);
      const end = { outcome: { kind: 'done', report: sampleReport('a') }, now: T2 } as const;
      await store.transaction(({ jobs }) => jobs.finish(1, 'j', claimed?.fence ?? 0, end));
      await nextTurn();
      expect(calls).toBe(3);
      stop();
      await store.transaction(async (writes) => writes.outbox.append(1, [sampleEvent('z')]));
      await nextTurn();
      expect(calls).toBe(3);
    });

    test('`together` reads a consistent snapshot while other transactions write', async () => {
      const store = await openForTest(open);
      await createLayers(store, 1, ['a']);
      let writing: Promise<unknown> = Promise.resolve();
      const seen = await store.together(1, async ({ layers, outbox }) => {
        const before = { layers: await layers.list(1), revision: await layers.revision(1) };
        writing = store.transaction(async (writes) => {
          await writes.layers.create(1, sampleLayer('b'));
          await writes.outbox.append(1, [sampleEvent('b')]);
        });
        // A store with a single connection writes after these reads; other stores commit now.
        await Promise.race([writing, delay(300)]);
        return {
          before,
          after: { layers: await layers.list(1), revision: await layers.revision(1) },
          events: await outbox.listAfter(1, 0, 10),
        };
      });
      expect(seen.before.layers.map(({ id }) => id)).toEqual(['a']);
      expect(seen.after).toEqual(seen.before);
      expect(seen.events).toEqual([]);
      await writing;
      expect((await store.layers.list(1)).map(({ id }) => id)).toEqual(['a', 'b']);
      expect(await store.layers.revision(1)).not.toBe(seen.before.revision);
    });

    test('can be probed until the store is closed', async () => {
      const store = await open();
      await store.probe();
      await store.close();
      await expect(store.probe()).rejects.toMatchObject({ code: 'registry.unavailable' });
      await expect(store.layers.list(1)).rejects.toMatchObject({ code: 'registry.unavailable' });
      await expect(store.transaction(async () => {})).rejects.toMatchObject({
        code: 'registry.unavailable',
      });
    });
  });
}
