import { describe, expect, test } from 'vitest';
import { openForTest, T1, T2, type OpenStore } from '../samples.conformance.ts';

export function deliveriesConformance(open: OpenStore): void {
  describe('deliveries', () => {
    test('record returns the job of the first delivery for a duplicate', async () => {
      const store = await openForTest(open);
      const record = (tenant: number, layer: number, job: string, now = T1) =>
        store.transaction(({ deliveries }) =>
          deliveries.record(tenant, layer, { delivery_id: 'd', job, now }),
        );
      expect(await record(1, 1, 'first')).toBeUndefined();
      expect(await record(1, 1, 'second')).toBe('first');
      expect(await record(1, 2, 'other layer', T2)).toBeUndefined();
      expect(await record(2, 1, 'other tenant', T2)).toBeUndefined();
      await store.transaction(({ deliveries }) => deliveries.prune(T2, 10));
      expect(await record(1, 1, 'after a day')).toBeUndefined();
      expect(await record(1, 2, 'still known')).toBe('other layer');
    });

    test('renew assigns a delivery to a later job and restarts its retention', async () => {
      const store = await openForTest(open);
      const delivery = { delivery_id: 'd', job: 'first', now: T1 };
      await store.transaction(async ({ deliveries }) => {
        await deliveries.record(1, 1, delivery);
        await deliveries.record(1, 2, delivery);
        await deliveries.renew(1, 1, { ...delivery, job: 'second', now: T2 });
        await deliveries.prune(T2, 10);
      });
      const again = (layer: number) =>
        store.transaction(({ deliveries }) =>
          deliveries.record(1, layer, { ...delivery, job: 'third' }),
        );
      expect([await again(1), await again(2)]).toEqual(['second', undefined]);
    });

    test('prune deletes up to the given number of deliveries', async () => {
      const store = await openForTest(open);
      await store.transaction(async ({ deliveries }) => {
        for (const tenant of [1, 2, 3, 4]) {
          await deliveries.record(tenant, 1, { delivery_id: 'd', job: 'j', now: T1 });
        }
      });
      const prune = () => store.transaction(({ deliveries }) => deliveries.prune(T2, 3));
      expect([await prune(), await prune(), await prune()]).toEqual([3, 1, 0]);
    });

    test('rolls back a recorded delivery with its transaction', async () => {
      const store = await openForTest(open);
      const delivery = { delivery_id: 'd', job: 'lost', now: T1 };
      const failed = store.transaction(async ({ deliveries }) => {
        await deliveries.record(1, 1, delivery);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      await store.transaction(async ({ deliveries }) => {
        expect(await deliveries.record(1, 1, { ...delivery, job: 'kept' })).toBeUndefined();
      });
    });
  });
}
