import { embedText } from '@catalog/testkit/test-embedder';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SearchDocument } from '../../ports/search-index.ts';
import type { Store } from '../../ports/store.ts';
import type { VectorHit, VectorIndex, VectorQuery } from '../../ports/vector-index.ts';
import type { LayerStack } from '../../ports/versions.ts';
import { newHead } from '../samples.conformance.ts';

/** A new, empty store that has vectors. */
export type OpenVectorStore = () => Promise<Store & { vectors: VectorIndex }>;

const TENANT = 1;
const MODEL = { name: 'test/one', dimensions: 64 };

/** What `VectorIndex` promises. */
export function vectorIndexConformance(open: OpenVectorStore): void {
  describe('the vector index', () => {
    modelConformance(open);
    viewConformance(open);
    historyConformance(open);
    sizeConformance(open);
  });
}

function modelConformance(open: OpenVectorStore): void {
  test('finds what means the same, the nearest first', async () => {
    const { put, find } = await openShelf(open);
    await put(1, {
      'a/invoice': 'send an invoice',
      'a/deploy': 'deploy it',
      'a/both': 'invoice deploy',
    });
    const hits = await find([1], 'invoice deploy');
    expect(hits.map(({ id }) => id)).toHaveLength(3);
    expect(hits[0]).toMatchObject({ id: 'a/both', layer: 1 });
    expect(hits[0]?.similarity).toBeCloseTo(1, 2);
    expect(await find([1], 'invoice deploy', { top_k: 1 })).toHaveLength(1);
  });

  test('keeps models of different dimensions side by side', async () => {
    const { store, put } = await openShelf(open);
    const other = { name: 'test/two', dimensions: 8 };
    await put(1, { a: 'invoice' });
    await store.vectors.addModel(other);
    await store.vectors.addModel(other);
    const vector = embedText('invoice', other.dimensions);
    const query = { ...NOTHING, model: other.name, vector };
    expect(await store.vectors.searchVectors(TENANT, [1], query)).toEqual([]);
    await store.vectors.putVectors(TENANT, 1, other.name, [{ id: 'a', vector }]);
    expect(await store.vectors.searchVectors(TENANT, [1], query)).toMatchObject([{ id: 'a' }]);
    await expect(store.vectors.addModel({ ...other, dimensions: 9 })).rejects.toMatchObject({
      code: 'config.invalid',
    });
    const short = [{ id: 'a', vector: [1] }];
    await expect(store.vectors.putVectors(TENANT, 1, other.name, short)).rejects.toThrow();
    expect(await store.vectors.countVectors(TENANT, other.name)).toBe(1);
  });

  test('knows nothing of a model that was never added', async () => {
    const { store } = await openShelf(open);
    const query = { ...NOTHING, model: 'test/none', vector: [1, 0] };
    expect(await store.vectors.searchVectors(TENANT, [1], query)).toEqual([]);
    expect(await store.vectors.countVectors(TENANT, 'test/none')).toBe(0);
  });
}

function viewConformance(open: OpenVectorStore): void {
  test('shows of an id only the highest visible layer, searched or not', async () => {
    const { store, put, ids } = await openShelf(open);
    await put(1, { a: 'invoice', b: 'invoice' });
    await put(2, { a: 'something else' });
    await store.transaction(({ versions }) =>
      versions.putHeads(TENANT, 3, [newHead({ id: 'b', layer: 3 })]),
    );
    expect(await ids([1], 'invoice')).toEqual(['1 a', '1 b']);
    expect(await ids([1, 2], 'invoice')).toEqual(['1 b', '2 a']);
    expect(await ids([2, 1], 'invoice')).toEqual(['1 a', '1 b']);
    expect(await ids([1, 2, 3], 'invoice')).toEqual(['2 a']);
    expect(await ids([], 'invoice')).toEqual([]);
  });

  test('orders equals by precedence and then by id', async () => {
    const { put, find } = await openShelf(open);
    await put(1, { c: 'invoice', a: 'invoice' });
    await put(2, { z: 'invoice' });
    const order = async (layers: LayerStack): Promise<string[]> =>
      (await find(layers, 'invoice')).map(({ id }) => id);
    expect(await order([1, 2])).toEqual(['z', 'a', 'c']);
    expect(await order([2, 1])).toEqual(['a', 'c', 'z']);
  });

  test('is filtered by type, by all tags and by scope', async () => {
    const { put, ids } = await openShelf(open);
    await put(1, { 'ops/a': 'invoice', 'ops/a/b': 'invoice', 'opsx/c': 'invoice' });
    await put(1, { 'ops/rule': 'invoice' }, { type: 'rule', tags: ['x', 'y'] });
    expect(await ids([1], 'invoice', { type: 'rule' })).toEqual(['1 ops/rule']);
    expect(await ids([1], 'invoice', { tags: ['y', 'x'] })).toEqual(['1 ops/rule']);
    expect(await ids([1], 'invoice', { tags: ['x', 'z'] })).toEqual([]);
    expect(await ids([1], 'invoice', { scope: 'ops/a' })).toEqual(['1 ops/a', '1 ops/a/b']);
    expect(await ids([1], 'invoice', { scope: 'ops', type: 'skill' })).toEqual([
      '1 ops/a',
      '1 ops/a/b',
    ]);
  });

  test('keeps tenants apart', async () => {
    const { store, put } = await openShelf(open);
    await put(1, { a: 'invoice' });
    expect(await store.vectors.countVectors(2, MODEL.name)).toBe(0);
    const query = { ...NOTHING, model: MODEL.name, vector: embedText('invoice', 64) };
    expect(await store.vectors.searchVectors(2, [1], query)).toEqual([]);
  });
}

function historyConformance(open: OpenVectorStore): void {
  test('a vector is replaced, removed, and goes with its document', async () => {
    const { store, put, find, ids } = await openShelf(open);
    await put(1, { a: 'invoice', b: 'invoice', c: 'invoice' });
    const vector = embedText('deploy', MODEL.dimensions);
    await store.vectors.putVectors(TENANT, 1, MODEL.name, [
      { id: 'a', vector },
      { id: 'no document', vector },
    ]);
    expect(await store.vectors.countVectors(TENANT, MODEL.name)).toBe(3);
    expect((await find([1], 'deploy'))[0]).toMatchObject({ id: 'a' });
    await store.vectors.removeVectors(TENANT, 1, MODEL.name, ['a', 'unknown']);
    expect(await ids([1], 'invoice')).toEqual(['1 b', '1 c']);
    await store.transaction(({ search }) => search.removeDocuments(TENANT, 1, ['b']));
    expect(await ids([1], 'invoice')).toEqual(['1 c']);
    await store.transaction(({ search }) =>
      search.putDocuments(TENANT, 1, [documentOf('c', 'another text')]),
    );
    expect(await ids([1], 'invoice')).toEqual([]);
    expect(await store.vectors.countVectors(TENANT, MODEL.name)).toBe(0);
  });
}

/** More vectors than one statement writes. */
function sizeConformance(open: OpenVectorStore): void {
  test('compares all of some thousand vectors', async () => {
    const { put, find } = await openShelf(open);
    const texts = Array.from({ length: 1_500 }, (_, index) => [`d/${index}`, `word${index}`]);
    await put(1, Object.fromEntries(texts));
    for (const wanted of [0, 700, 1_499]) {
      const [best] = await find([1], `word${wanted}`, { top_k: 1 });
      expect(best).toMatchObject({ id: `d/${wanted}` });
    }
  });
}

const NOTHING = { type: '', tags: [], scope: '', top_k: 10 };

interface Shelf {
  store: Awaited<ReturnType<OpenVectorStore>>;
  /** Searched heads by their text, with its vector. */
  put: (
    layer: number,
    texts: Readonly<Record<string, string>>,
    given?: Partial<SearchDocument>,
  ) => Promise<void>;
  find: (layers: LayerStack, text: string, given?: Partial<VectorQuery>) => Promise<VectorHit[]>;
  /** Of all hits, layer and id, sorted. */
  ids: (layers: LayerStack, text: string, given?: Partial<VectorQuery>) => Promise<string[]>;
}

async function openShelf(open: OpenVectorStore): Promise<Shelf> {
  const store = await open();
  onTestFinished(() => store.close());
  await store.vectors.addModel(MODEL);
  const find: Shelf['find'] = (layers, text, given = {}) =>
    store.vectors.searchVectors(TENANT, layers, {
      ...NOTHING,
      model: MODEL.name,
      vector: embedText(text, MODEL.dimensions),
      ...given,
    });
  return {
    store,
    find,
    ids: async (layers, text, given) =>
      (await find(layers, text, given)).map(({ layer, id }) => `${layer} ${id}`).sort(),
    async put(layer, texts, given = {}) {
      const ids = Object.keys(texts);
      await store.transaction(async ({ versions, search }) => {
        await versions.putHeads(
          TENANT,
          layer,
          ids.map((id) => newHead({ id, layer })),
        );
        const documents = ids.map((id) => documentOf(id, texts[id] ?? '', given));
        await search.putDocuments(TENANT, layer, documents);
      });
      const vectors = Object.entries(texts).map(([id, text]) => ({
        id,
        vector: embedText(text, MODEL.dimensions),
      }));
      await store.vectors.putVectors(TENANT, layer, MODEL.name, vectors);
      await store.vectors.settle(MODEL.name);
    },
  };
}

function documentOf(
  id: string,
  description: string,
  given: Partial<SearchDocument> = {},
): SearchDocument {
  return { id, type: 'skill', tags: [], name: id, description, when_to_use: [], ...given };
}
