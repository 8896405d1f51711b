import { describe, expect, test } from 'vitest';
import type { Store } from '../../ports/store.ts';
import type { Edge, EdgePlace, LayerStack } from '../../ports/versions.ts';
import {
  createLayers,
  newHead,
  openForTest,
  sampleHead,
  sampleVersion,
  T1,
  T2,
  T3,
  type OpenStore,
} from '../samples.conformance.ts';

export function headsConformance(open: OpenStore): void {
  describe('heads', () => {
    async function openWithLayers(): Promise<{ store: Store; low: number; high: number }> {
      const store = await openForTest(open);
      const [low, high] = await createLayers(store, 1, ['low', 'high']);
      return { store, low: low?.number ?? 0, high: high?.number ?? 0 };
    }

    test('are read as they were put, from every requested layer', async () => {
      const { store, low, high } = await openWithLayers();
      const rich = {
        id: 'ops/ü',
        when_to_use: ['now'],
        tags: ['a'],
        sensitivity: 'medium',
        search_visibility: 'direct-only',
        deprecated: true,
        replaced_by: 'ops/new',
        frontmatter: null,
        layer: low,
      } as const;
      const above = { id: 'ops/ü', layer: high, version: '3.0.0' };
      await store.transaction(async ({ versions }) => {
        await versions.putHeads(1, low, [newHead(rich), newHead({ id: 'other', layer: low })]);
        await versions.putHeads(1, high, [newHead(above)]);
      });
      const heads = await store.versions.listHeadsOf(1, [low, high], ['ops/ü', 'none']);
      expect(heads.toSorted((a, b) => a.layer - b.layer)).toEqual([
        sampleHead(rich),
        sampleHead(above),
      ]);
      expect(await store.versions.listHeadsOf(1, [high], ['ops/ü'])).toEqual([sampleHead(above)]);
      expect(await store.versions.listHeadsOf(1, [low], ['other'])).toHaveLength(1);
      expect(await store.versions.listHeadsOf(1, [], ['ops/ü'])).toEqual([]);
      expect(await store.versions.listHeadsOf(2, [low, high], ['ops/ü'])).toEqual([]);
    });

    test('are listed by ingest time, one page at a time', async () => {
      const { store, low, high } = await openWithLayers();
      await store.transaction(async ({ versions }) => {
        await versions.putHeads(1, low, [
          newHead({ id: 'a', layer: low, ingested_at: T1 }),
          newHead({ id: 'b', layer: low, ingested_at: T2 }),
          newHead({ id: 'c', layer: low, ingested_at: T2 }),
          newHead({ id: 'd', layer: low, ingested_at: T3 }),
        ]);
        await versions.putHeads(1, high, [newHead({ id: 'b', layer: high, ingested_at: T1 })]);
        await versions.putHeads(1, low, [newHead({ id: 'a', layer: low, ingested_at: T3 })]);
        await versions.removeHeads(1, low, ['d']);
      });
      const all = [
        { layer: low, id: 'a', ingested_at: T3 },
        { layer: low, id: 'c', ingested_at: T2 },
        { layer: low, id: 'b', ingested_at: T2 },
        { layer: high, id: 'b', ingested_at: T1 },
      ];
      const before = { ingested_at: '9999-01-01T00:00:00.000Z', id: '' };
      const list = (page: object, tenant = 1, layers: LayerStack = [low, high]) =>
        store.versions.listRecent(tenant, layers, { before, limit: 10, ...page });
      const next = { ingested_at: T2, id: 'c' };
      expect(await list({})).toEqual({ heads: all, next: undefined });
      expect(await list({ limit: 2 })).toEqual({ heads: all.slice(0, 2), next });
      expect(await list({ before: next })).toEqual({ heads: all.slice(2), next: undefined });
      expect(await list({}, 1, [high])).toEqual({ heads: all.slice(3), next: undefined });
      expect(await list({}, 2)).toEqual({ heads: [], next: undefined });
      expect(await list({}, 1, [])).toEqual({ heads: [], next: undefined });
    });

    test('are read as the texts of one layer', async () => {
      const { store, low, high } = await openWithLayers();
      const describedHead = {
        id: 'ops/ü',
        name: 'ü',
        description: 'Says "it", and\nmore.',
        when_to_use: ['now', 'a,b {c}'],
        tags: ['a', ''],
      };
      const plain = { id: 'ops/plain', name: 'plain', description: '', when_to_use: [], tags: [] };
      await store.transaction(async ({ versions }) => {
        await versions.putHeads(
          1,
          low,
          [describedHead, plain].map((head) => newHead({ ...head, layer: low })),
        );
        await versions.putHeads(1, high, [newHead({ id: 'ops/ü', layer: high, name: 'above' })]);
      });
      const ids = ['ops/ü', 'none', 'ops/plain'];
      const texts = await store.versions.readTexts(1, low, ids);
      expect(texts.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([plain, describedHead]);
      expect(await store.versions.readTexts(1, high, ids)).toMatchObject([{ name: 'above' }]);
      expect(await store.versions.readTexts(1, low, [])).toEqual([]);
      expect(await store.versions.readTexts(2, low, ids)).toEqual([]);
    });

    test('are replaced by the next version', async () => {
      const { store, low } = await openWithLayers();
      const next = {
        id: 'x',
        layer: low,
        version: '2.0.0',
        type: 'agent',
        sensitivity: 'high',
      } as const;
      await store.transaction(async ({ versions }) => {
        await versions.putHeads(1, low, [newHead({ id: 'x', layer: low })]);
        await versions.putHeads(1, low, [newHead(next)]);
      });
      expect(await store.versions.listHeadsOf(1, [low], ['x'])).toEqual([sampleHead(next)]);
      expect(await store.versions.countView(1, [low])).toEqual({
        artifact_count: 1,
        by_type: { agent: 1 },
        by_sensitivity: { low: 0, medium: 0, high: 1 },
      });
    });

    test('are removed without their versions and ledger (SPEC-20)', async () => {
      const { store, low } = await openWithLayers();
      const version = sampleVersion({ id: 'x', layer: low });
      await store.transaction(async ({ versions }) => {
        await versions.putVersions(1, 'low', [version]);
        await versions.putHeads(1, low, [newHead({ id: 'x', layer: low })]);
      });
      await store.transaction(({ versions }) => versions.removeHeads(1, low, ['x', 'nobody']));
      expect(await store.versions.listHeadsOf(1, [low], ['x'])).toEqual([]);
      expect(await store.versions.countView(1, [low])).toMatchObject({
        artifact_count: 0,
        by_type: {},
      });
      expect(await store.versions.get(1, low, 'x', '1.0.0')).toEqual(version);
      expect((await store.versions.readLedger(1, 'low', [version])).size).toBe(1);
    });

    test('are listed by id in byte order, one page at a time', async () => {
      const { store, low, high } = await openWithLayers();
      const ids = ['B', 'a', 'a-b', 'a/b', 'a0', 'ä', '\uFFFD', '🚀'];
      await store.transaction(async ({ versions }) => {
        await versions.putHeads(
          1,
          low,
          ids.toReversed().map((id) => newHead({ id, layer: low })),
        );
        await versions.putHeads(1, high, [newHead({ id: 'elsewhere', layer: high })]);
      });
      const pages: string[][] = [];
      let after = '';
      for (;;) {
        const page = await store.versions.listHeadIds(1, low, after, 3);
        if (page.length === 0) break;
        pages.push(page.map(({ id }) => id));
        after = page.at(-1)?.id ?? '';
      }
      expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
      const [first] = await store.versions.listHeadIds(1, low, '', 1);
      const { content_hash, version } = sampleHead({ id: 'B' });
      expect(first).toEqual({ id: 'B', content_hash, version });
    });
  });

  describe('edges', () => {
    function edge(from: string, to: string, kind: Edge['kind'] = 'delegates_to'): Edge {
      return { from, to, kind, to_version: kind === 'extends' ? '1.0.0' : null };
    }

    const ALL_EDGES = { after: undefined, limit: 100 };

    async function linesTo(store: Store, layers: LayerStack, id: string): Promise<string[]> {
      const edges = await store.versions.listEdgesTo(1, layers, id, ALL_EDGES);
      return edges
        .map(
          ({ layer, from, to, kind, to_version }) => `${layer} ${from} ${kind} ${to}@${to_version}`,
        )
        .sort();
    }

    test('lead to an id from the heads of the layers, and are removed with them', async () => {
      const store = await openForTest(open);
      const [low = 0, high = 0] = (await createLayers(store, 1, ['low', 'high'])).map(
        ({ number }) => number,
      );
      const child = newHead(
        { id: 'child', layer: low },
        { edges: [edge('child', 'base', 'extends'), edge('child', 'base'), edge('child', 'tool')] },
      );
      await store.transaction(async ({ versions }) => {
        await versions.putHeads(1, low, [child]);
        await versions.putHeads(1, high, [
          newHead({ id: 'agent', layer: high }, { edges: [edge('agent', 'base')] }),
        ]);
      });
      const all = [
        `${low} child delegates_to base@null`,
        `${low} child extends base@1.0.0`,
        `${high} agent delegates_to base@null`,
      ];
      expect(await linesTo(store, [low, high], 'base')).toEqual(all.sort());
      expect(await linesTo(store, [high], 'base')).toHaveLength(1);
      expect(await linesTo(store, [low, high], 'nobody')).toEqual([]);
      expect(await store.versions.listEdgesTo(2, [low, high], 'base', ALL_EDGES)).toEqual([]);
      await store.transaction(({ versions }) =>
        versions.putHeads(1, low, [
          newHead({ id: 'child', layer: low }, { edges: [edge('child', 'tool')] }),
        ]),
      );
      expect(await linesTo(store, [low], 'base')).toEqual([]);
      expect(await linesTo(store, [low], 'tool')).toHaveLength(1);
      await store.transaction(({ versions }) => versions.removeHeads(1, low, ['child']));
      expect(await linesTo(store, [low], 'tool')).toEqual([]);
    });

    test('are listed in pages that include every layer of their last id and kind', async () => {
      const store = await openForTest(open);
      const [low = 0, high = 0] = (await createLayers(store, 1, ['low', 'high'])).map(
        ({ number }) => number,
      );
      const ids = ['B', 'a', 'a-b', 'a/b', 'ä', '\uFFFD', '🚀'];
      const heads = (layer: number, some: readonly string[]) =>
        some.map((id) =>
          newHead({ id, layer }, { edges: [edge(id, 'base'), edge(id, 'base', 'extends')] }),
        );
      await store.transaction(async ({ versions }) => {
        await versions.putHeads(1, low, heads(low, ids.toReversed()));
        await versions.putHeads(1, high, heads(high, ['a', '🚀']));
      });
      const found: string[] = [];
      for (let after: EdgePlace | undefined; ;) {
        const page = await store.versions.listEdgesTo(1, [low, high], 'base', { after, limit: 3 });
        found.push(...new Set(page.map(({ from, kind }) => `${from} ${kind}`)));
        if (page.length < 3) break;
        after = page.at(-1);
      }
      expect(found).toEqual(ids.flatMap((id) => [`${id} delegates_to`, `${id} extends`]));
      const after = { from: 'B', kind: 'extends' };
      const first = await store.versions.listEdgesTo(1, [low, high], 'base', { after, limit: 1 });
      expect(new Set(first.map(({ from, layer }) => `${layer} ${from}`))).toEqual(
        new Set([`${low} a`, `${high} a`]),
      );
    });

    test('find servers by their server_identifier, the highest layer first', async () => {
      const store = await openForTest(open);
      const [low = 0, high = 0] = (await createLayers(store, 1, ['low', 'high'])).map(
        ({ number }) => number,
      );
      await store.transaction(async ({ versions }) => {
        await versions.putHeads(1, low, [
          newHead({ id: 'b', layer: low }, { server_identifier: 'npx:shared' }),
          newHead({ id: 'a', layer: low }, { server_identifier: 'npx:shared' }),
          newHead({ id: 'c', layer: low }, { server_identifier: 'npx:low' }),
        ]);
        await versions.putHeads(1, high, [
          newHead({ id: 'z', layer: high }, { server_identifier: 'npx:shared' }),
        ]);
      });
      const find = async (layers: LayerStack): Promise<unknown> =>
        Object.fromEntries(
          await store.versions.findServers(1, layers, ['npx:shared', 'npx:low', 'npx:none']),
        );
      expect(await find([low, high])).toEqual({ 'npx:shared': 'z', 'npx:low': 'c' });
      expect(await find([high, low])).toEqual({ 'npx:shared': 'a', 'npx:low': 'c' });
      expect(await find([high])).toEqual({ 'npx:shared': 'z' });
      await store.transaction(({ versions }) => versions.removeHeads(1, high, ['z']));
      expect(await find([low, high])).toEqual({ 'npx:shared': 'a', 'npx:low': 'c' });
    });
  });
}
