import { describe, expect, test } from 'vitest';
import type { UsageCount } from '../../ports/artifact-usage.ts';
import { createLayers, openForTest, type OpenStore } from '../samples.conformance.ts';

function use(layer: number, id: string, given: Partial<UsageCount> = {}): UsageCount {
  return { layer, id, version: '1.0.0', day: '2026-01-02', loads: 1, syncs: 0, ...given };
}

export function artifactUsageConformance(open: OpenStore): void {
  describe('artifact usage', () => {
    test('adds counts per version and day, and lists them newest day first', async () => {
      const store = await openForTest(open);
      const add = (counts: readonly UsageCount[], tenant = 1) =>
        store.transaction(({ artifact_usage }) => artifact_usage.add(tenant, counts));
      await add([use(1, 'a', { loads: 2 }), use(1, 'a', { version: '2.0.0', syncs: 3 })]);
      await add([use(1, 'a', { syncs: 5 }), use(1, 'a', { day: '2026-01-03' }), use(2, 'a')]);
      await add([use(1, 'a', { loads: 100 })], 2);
      await add([]);
      const { artifact_usage } = store;
      expect(await artifact_usage.listDays(1, [1], 'a', '2026-01-01', 10)).toEqual([
        use(1, 'a', { day: '2026-01-03' }),
        use(1, 'a', { loads: 3, syncs: 5 }),
        use(1, 'a', { version: '2.0.0', syncs: 3 }),
      ]);
      expect(await artifact_usage.listDays(1, [1, 2], 'a', '2026-01-03', 10)).toHaveLength(1);
      expect(await artifact_usage.listDays(1, [1, 2], 'a', '', 1)).toHaveLength(1);
      expect(await artifact_usage.listUsedLayers(1)).toEqual([1, 2]);
    });

    test('lists the most used artifacts of the layers, page by page', async () => {
      const store = await openForTest(open);
      await store.transaction(({ artifact_usage }) =>
        artifact_usage.add(1, [
          use(1, 'a', { loads: 2, syncs: 3 }),
          use(1, 'b', { loads: 9, version: '1.0.0' }),
          use(1, 'b', { loads: 1, version: '2.0.0' }),
          use(2, 'b', { loads: 5 }),
          use(3, 'hidden', { loads: 50 }),
        ]),
      );
      const { artifact_usage } = store;
      const first = await artifact_usage.listPopular(1, [1, 2], { after: undefined, limit: 2 });
      expect(first).toEqual([
        { layer: 1, id: 'b', uses: 10 },
        { layer: 2, id: 'b', uses: 5 },
      ]);
      const after = { uses: 5, id: 'b' };
      expect(await artifact_usage.listPopular(1, [1, 2], { after, limit: 2 })).toEqual([
        { layer: 1, id: 'a', uses: 5 },
      ]);
      expect(await artifact_usage.listPopular(1, [], { after: undefined, limit: 2 })).toEqual([]);
      expect(await artifact_usage.listPopular(2, [1], { after: undefined, limit: 2 })).toEqual([]);
    });

    test('recomputes popularity from the counts since a day, and deletes old counts', async () => {
      const store = await openForTest(open);
      await store.transaction(({ artifact_usage }) =>
        artifact_usage.add(1, [
          use(1, 'a', { day: '2025-11-01', loads: 7 }),
          use(1, 'a', { day: '2026-01-02', loads: 2 }),
          use(1, 'old', { day: '2025-11-01' }),
          use(2, 'other', { day: '2025-11-01' }),
        ]),
      );
      const popular = (layers: number[]) =>
        store.artifact_usage.listPopular(1, layers, { after: undefined, limit: 10 });
      await store.transaction(({ artifact_usage }) =>
        artifact_usage.refreshPopular(1, 1, '2026-01-01'),
      );
      expect(await popular([1])).toEqual([{ layer: 1, id: 'a', uses: 2 }]);
      expect(await popular([2])).toHaveLength(1);
      const prune = (max_deleted: number) =>
        store.transaction(({ artifact_usage }) =>
          artifact_usage.prune(1, '2026-01-01', max_deleted),
        );
      expect(await prune(2)).toBe(2);
      expect(await prune(2)).toBe(1);
      expect(await store.artifact_usage.listDays(1, [1, 2], 'a', '', 10)).toHaveLength(1);
    });

    test('deletes the counts of a purged layer', async () => {
      const store = await openForTest(open);
      const [layer] = await createLayers(store, 1, ['gone']);
      const number = layer?.number ?? 0;
      await store.transaction(({ artifact_usage }) => artifact_usage.add(1, [use(number, 'a')]));
      await store.transaction(({ layers }) => layers.purge(1, number));
      expect(await store.artifact_usage.listDays(1, [number], 'a', '', 10)).toEqual([]);
      const page = { after: undefined, limit: 1 };
      expect(await store.artifact_usage.listPopular(1, [number], page)).toEqual([]);
    });
  });
}
