import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openForTest, sampleEvent, T1, T2, T3, type OpenStore } from '../samples.conformance.ts';

export function outboxConformance(open: OpenStore): void {
  describe('outbox', () => {
    test('stores events unchanged in commit order', async () => {
      const store = await openForTest(open);
      await store.transaction(({ outbox }) =>
        outbox.append(1, [sampleEvent('a'), sampleEvent('ü')]),
      );
      await store.transaction(({ outbox }) => outbox.append(2, [sampleEvent('elsewhere')]));
      await store.transaction(({ outbox }) => outbox.append(1, [sampleEvent('c')]));
      expect(await store.outbox.listAfter(1, 0, 10)).toEqual([
        { sequence: 1, body: sampleEvent('a') },
        { sequence: 2, body: sampleEvent('ü') },
        { sequence: 3, body: sampleEvent('c') },
      ]);
      expect(await store.outbox.listAfter(1, 1, 1)).toMatchObject([{ sequence: 2 }]);
      expect(await store.outbox.listAfter(1, 3, 10)).toEqual([]);
      expect(await store.outbox.bounds(1)).toEqual({ oldest: 1, newest: 3 });
      expect(await store.outbox.bounds(2)).toEqual({ oldest: 1, newest: 1 });
      expect(await store.outbox.bounds(3)).toEqual({ oldest: 0, newest: 0 });
    });

    test('numbers events without a gap if transactions fail', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ events: fc.nat({ max: 3 }), fails: fc.boolean() }), {
            maxLength: 15,
          }),
          async (plannedWrites) => {
            const store = await open();
            const committedNames: string[] = [];
            const running = plannedWrites.map(({ events, fails }, unit) => {
              const names = Array.from({ length: events }, (_, index) => `${unit}.${index}`);
              if (!fails) committedNames.push(...names);
              return store
                .transaction(async ({ outbox }) => {
                  for (const name of names) await outbox.append(1, [sampleEvent(name)]);
                  if (fails) throw new Error('no');
                })
                .catch(() => {});
            });
            await Promise.all(running);
            const events = await store.outbox.listAfter(1, 0, 100);
            const names = events.map(({ body }) => String(body.data['id']));
            // Concurrent transactions may commit in any order, but the events of one stay together.
            const units = Object.groupBy(committedNames, unitOf);
            const order = new Set(names.map(unitOf));
            expect(names).toEqual([...order].flatMap((unit) => units[unit] ?? []));
            expect(names.toSorted()).toEqual(committedNames.toSorted());
            expect(events.map(({ sequence }) => sequence)).toEqual(
              committedNames.map((_, index) => index + 1),
            );
            await store.close();
          },
        ),
        { numRuns: 30 },
      );
    });

    test('prunes old events from the front and keeps the sequence', async () => {
      const store = await openForTest(open);
      // The third event has an earlier time than the second. It is kept, because an earlier event is kept.
      const times = [T1, T2, T1, T3];
      await store.transaction(({ outbox }) =>
        outbox.append(
          1,
          times.map((time) => sampleEvent(time, time)),
        ),
      );
      await store.transaction(({ outbox }) => outbox.append(2, [sampleEvent('old')]));
      expect(await store.outbox.count()).toBe(5);
      await store.transaction(({ outbox }) => outbox.prune(1, T2, 10));
      expect(await store.outbox.bounds(1)).toEqual({ oldest: 2, newest: 4 });
      expect(await store.outbox.count()).toBe(4);
      await store.transaction(({ outbox }) => outbox.prune(1, T1, 10));
      expect(await store.outbox.bounds(1)).toEqual({ oldest: 2, newest: 4 });
      await store.transaction(({ outbox }) => outbox.prune(1, '2027-01-01T00:00:00.000Z', 10));
      // The outbox is empty. A reader at 4 has missed no event, and a reader at 3 has missed one.
      expect(await store.outbox.bounds(1)).toEqual({ oldest: 5, newest: 4 });
      expect(await store.outbox.count()).toBe(1);
      await store.transaction(({ outbox }) => outbox.append(1, [sampleEvent('next')]));
      expect(await store.outbox.bounds(1)).toEqual({ oldest: 5, newest: 5 });
      expect(await store.outbox.bounds(2)).toEqual({ oldest: 1, newest: 1 });
    });

    test('prunes up to the given number of events, the oldest first', async () => {
      const store = await openForTest(open);
      const times = [T1, T1, T1, T1, T3];
      await store.transaction(({ outbox }) =>
        outbox.append(
          1,
          times.map((time) => sampleEvent(time, time)),
        ),
      );
      const prune = () => store.transaction(({ outbox }) => outbox.prune(1, T2, 3));
      expect(await prune()).toBe(3);
      expect(await store.outbox.bounds(1)).toEqual({ oldest: 4, newest: 5 });
      expect([await prune(), await prune()]).toEqual([1, 0]);
      expect(await store.outbox.bounds(1)).toEqual({ oldest: 5, newest: 5 });
    });
  });
}

function unitOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}
