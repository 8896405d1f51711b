import { describe, expect, test } from 'vitest';
import type { DomainFields } from '../../domain/read-domain.ts';
import type { Store } from '../../ports/store.ts';
import type { DomainVectorHit } from '../../ports/vector-index.ts';
import type { LayerStack } from '../../ports/versions.ts';
import { createDomainModel } from '../domains/domain-model.conformance.ts';
import { openForTest, type OpenStore } from '../samples.conformance.ts';
import { cosineOf, meaningOf, MODEL, TENANT } from './vector-model.conformance.ts';

export function domainVectorsConformance(open: OpenStore): void {
  describe('domains in the vector index', () => {
    test('are ordered by the nearest text of all layers, ties by path', async () => {
      const { put, find } = await openDomains(open);
      await put(1, { finance: 'invoice', ops: 'deploy', 'ops/b': 'report', 'ops/a': 'report' });
      await put(2, { ops: 'invoice report' });
      expect(await find([1, 2], 'invoice')).toEqual([
        { path: 'finance', similarity: nearness('invoice', 'invoice') },
        { path: 'ops', similarity: nearness('invoice', 'invoice report') },
        { path: 'ops/a', similarity: nearness('invoice', 'report') },
        { path: 'ops/b', similarity: nearness('invoice', 'report') },
      ]);
      expect(await find([1], 'invoice', { top_k: 1 })).toMatchObject([{ path: 'finance' }]);
      expect(pathsOf(await find([1, 2], 'invoice', { scope: 'ops' }))).toEqual([
        'ops',
        'ops/a',
        'ops/b',
      ]);
      expect(pathsOf(await find([2], 'invoice'))).toEqual(['ops']);
      expect(await find([], 'invoice')).toEqual([]);
    });

    test('are hidden if a visible layer marks them as unlisted', async () => {
      const { put, find } = await openDomains(open);
      await put(1, { a: 'invoice', 'a/drafts': 'invoice', 'a/drafts/deep': 'invoice' });
      await put(2, { 'a/drafts': 'invoice' }, { unlisted: true });
      expect(pathsOf(await find([1], 'invoice'))).toEqual(['a', 'a/drafts', 'a/drafts/deep']);
      expect(pathsOf(await find([1, 2], 'invoice'))).toEqual(['a']);
      expect(await find([1, 2], 'invoice', { scope: 'a/drafts' })).toEqual([]);
    });

    test('are removed with their DOMAIN.md, and belong to their tenant only', async () => {
      const { store, put, find } = await openDomains(open);
      await put(1, { a: 'invoice', b: 'invoice', c: 'invoice' });
      const shelf = { layer: 1, kind: 'domain', model: MODEL.name } as const;
      const vector = meaningOf('invoice');
      await store.vectors.putVectors(TENANT, shelf, [{ id: 'none', vector }]);
      await store.transaction(({ domains }) => domains.removeDomains(TENANT, 1, ['a']));
      expect(pathsOf(await find([1], 'invoice'))).toEqual(['b', 'c']);
      await store.vectors.removeVectors(TENANT, shelf, ['b', 'none']);
      expect(pathsOf(await find([1], 'invoice'))).toEqual(['c']);
      const query = { model: MODEL.name, vector, scope: '', top_k: 10 };
      expect(await store.vectors.searchDomainVectors(2, [1], query)).toEqual([]);
      expect(await store.vectors.countVectors(TENANT, MODEL.name)).toBe(0);
      await store.vectors.dropModel(MODEL.name);
      await store.vectors.addModel(MODEL);
      expect(await find([1], 'invoice')).toEqual([]);
    });
  });
}

interface Domains {
  store: Store;
  put: (
    layer: number,
    texts: Readonly<Record<string, string>>,
    fields?: DomainFields,
  ) => Promise<void>;
  find: (
    layers: LayerStack,
    text: string,
    given?: { scope?: string; top_k?: number },
  ) => Promise<DomainVectorHit[]>;
}

async function openDomains(open: OpenStore): Promise<Domains> {
  const store = await openForTest(open);
  await store.vectors.addModel(MODEL);
  const domains = createDomainModel(store, TENANT);
  return {
    store,
    async put(layer, texts, fields = {}) {
      const described = Object.entries(texts);
      await domains.putDomains(
        layer,
        Object.fromEntries(described.map(([path, body]) => [path, { fields, body }])),
      );
      await store.vectors.putVectors(
        TENANT,
        { layer, kind: 'domain', model: MODEL.name },
        described.map(([id, text]) => ({ id, vector: meaningOf(text) })),
      );
    },
    find: (layers, text, given = {}) =>
      store.vectors.searchDomainVectors(TENANT, layers, {
        model: MODEL.name,
        vector: meaningOf(text),
        scope: '',
        top_k: 10,
        ...given,
      }),
  };
}

function nearness(a: string, b: string): number {
  return cosineOf(meaningOf(a), meaningOf(b));
}

function pathsOf(hits: readonly DomainVectorHit[]): string[] {
  return hits.map(({ path }) => path).sort();
}
