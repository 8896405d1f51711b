import { describe, expect, test } from 'vitest';
import type { ReadRecord } from '../../ports/read-log.ts';
import { openForTest, T1, T2, T3, type OpenStore } from '../samples.conformance.ts';

function sampleRead(given: Partial<ReadRecord> = {}): ReadRecord {
  return {
    type: 'artifact.loaded',
    minute: T1,
    subject: 'ada',
    caller_kind: 'subject',
    salt: 'salt',
    commitment: 'commitment',
    artifact: 'ops/deploy',
    version: '1.0.0',
    layer: 'base',
    name: 'deploy',
    tags: ['release'],
    detail: '',
    ...given,
  };
}

const ALL = { artifact: '', subject: '' };

export function readLogConformance(open: OpenStore): void {
  describe('read log', () => {
    test('numbers records per tenant and lists them by artifact and subject', async () => {
      const store = await openForTest(open);
      const bob = sampleRead({ subject: 'bob', minute: T2 });
      const synced = sampleRead({ type: 'manifest.synced', artifact: '', tags: [] });
      await store.transaction(async ({ read_log }) => {
        await read_log.append(1, [sampleRead(), synced]);
        await read_log.append(1, []);
      });
      await store.transaction(({ read_log }) => read_log.append(1, [bob]));
      await store.transaction(({ read_log }) => read_log.append(2, [sampleRead()]));
      const { read_log } = store;
      expect(await read_log.list(1, 0, 10)).toEqual([
        { position: 1, ...sampleRead() },
        { position: 2, ...synced },
        { position: 3, ...bob },
      ]);
      expect(await read_log.list(1, 1, 1)).toMatchObject([{ position: 2 }]);
      const positions = async (filter: Partial<typeof ALL>, before?: number, limit = 10) => {
        const found = await read_log.listNewest(1, { ...ALL, ...filter }, before, limit);
        return found.map(({ position }) => position);
      };
      expect(await positions({})).toEqual([3, 2, 1]);
      expect(await positions({}, 3, 1)).toEqual([2]);
      expect(await positions({ artifact: 'ops/deploy' })).toEqual([3, 1]);
      expect(await positions({ subject: 'ada' })).toEqual([2, 1]);
      expect(await positions({ subject: 'ada', artifact: 'ops/deploy' })).toEqual([1]);
      expect(await positions({ artifact: 'ops/other' })).toEqual([]);
      expect(await read_log.list(3, 0, 10)).toEqual([]);
    });

    test('seals a range once, and deletes only sealed records from before a time', async () => {
      const store = await openForTest(open);
      const records = [sampleRead(), sampleRead({ minute: T2 }), sampleRead({ minute: T3 })];
      await store.transaction(({ read_log }) => read_log.append(1, records));
      const empty = { position: 0, sealed: 0, sealed_at: null };
      expect(await store.read_log.state(2)).toEqual(empty);
      const prune = (before: string, max_deleted: number) =>
        store.transaction(({ read_log }) => read_log.prune(1, before, max_deleted));
      expect(await prune(T3, 10)).toBe(0);
      const seal = (from: number, to: number) =>
        store.transaction(({ read_log }) => read_log.seal(1, { from, to, at: T3 }));
      expect(await seal(0, 2)).toBe(true);
      expect(await seal(0, 3)).toBe(false);
      expect(await store.read_log.state(1)).toEqual({ position: 3, sealed: 2, sealed_at: T3 });
      expect(await prune(T2, 10)).toBe(1);
      expect(await prune('2027-01-01T00:00:00.000Z', 10)).toBe(1);
      expect(await store.read_log.list(1, 0, 10)).toMatchObject([{ position: 3 }]);
      await store.transaction(({ read_log }) => read_log.append(1, [sampleRead()]));
      expect(await store.read_log.list(1, 3, 10)).toMatchObject([{ position: 4 }]);
    });

    test('lists the processes that write, until they are removed', async () => {
      const store = await openForTest(open);
      for (const last_batch_at of [T1, T2]) {
        await store.transaction(({ read_log }) =>
          read_log.putWriter({ process: 'a', last_batch_at }),
        );
      }
      expect(await store.read_log.listWriters()).toEqual([{ process: 'a', last_batch_at: T2 }]);
      const remove = () => store.transaction(({ read_log }) => read_log.removeWriter('a'));
      expect(await remove()).toBe(true);
      expect(await remove()).toBe(false);
      expect(await store.read_log.listWriters()).toEqual([]);
    });
  });
}
