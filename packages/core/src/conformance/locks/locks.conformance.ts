import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Locks } from '../../ports/locks.ts';

/** The locks of a store for two parties, which are two processes if the store supports several. */
export type OpenLocks = () => Promise<readonly [Locks, Locks]>;

const NEVER = new AbortController().signal;

export function locksConformance(open: OpenLocks): void {
  describe('locks', () => {
    test('are exclusive until released', async () => {
      const [here, there] = await open();
      const hold = await here.take('a', NEVER);
      expect(await here.tryTake('a')).toBeUndefined();
      expect(await there.tryTake('a')).toBeUndefined();
      let isAcquired = false;
      const taken = there.take('a', NEVER).then((next) => {
        isAcquired = true;
        return next;
      });
      await pause(30);
      expect(isAcquired).toBe(false);
      await hold.release();
      const next = await taken;
      expect(await here.tryTake('a')).toBeUndefined();
      await hold.release();
      expect(await here.tryTake('a')).toBeUndefined();
      await next.release();
      const again = await here.tryTake('a');
      await hold.release();
      expect(await there.tryTake('a')).toBeUndefined();
      expect(again?.lost.aborted).toBe(false);
      await again?.release();
    });

    test('with different names are independent', async () => {
      const [here, there] = await open();
      const holds = await Promise.all([here.take('a', NEVER), there.take('b', NEVER)]);
      expect(await there.tryTake('a')).toBeUndefined();
      expect(await here.tryTake('b')).toBeUndefined();
      await Promise.all(holds.map((hold) => hold.release()));
    });

    test('stop waiting if the signal fires, and are not granted to the canceled caller', async () => {
      const [here, there] = await open();
      const hold = await here.take('a', NEVER);
      const leaving = new AbortController();
      const left = [here.take('a', leaving.signal), there.take('a', leaving.signal)];
      const refused = left.map((taken) => expect(taken).rejects.toThrow('enough'));
      await pause(20);
      leaving.abort(new Error('enough'));
      await Promise.all(refused);
      await expect(here.take('b', leaving.signal)).rejects.toThrow('enough');
      await hold.release();
      const next = await there.take('a', NEVER);
      await next.release();
    });

    test('are never held by two parties at once', async () => {
      const step = fc.record({
        party: fc.constantFrom(0 as const, 1 as const),
        name: fc.constantFrom('x', 'y'),
        tries: fc.boolean(),
      });
      const parties = await open();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const inside = new Map<string, number>();
          let taken = 0;
          await Promise.all(
            steps.map(async ({ party, name, tries }) => {
              const locks = parties[party];
              const hold = tries ? await locks.tryTake(name) : await locks.take(name, NEVER);
              if (hold === undefined) return;
              taken += 1;
              inside.set(name, (inside.get(name) ?? 0) + 1);
              expect(inside.get(name)).toBe(1);
              await pause(1);
              inside.set(name, 0);
              await hold.release();
            }),
          );
          expect(taken).toBeGreaterThanOrEqual(steps.filter(({ tries }) => !tries).length);
        }),
        { numRuns: 20 },
      );
    });
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
