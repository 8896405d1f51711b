import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VectorIndex } from '../../ports/vector-index.ts';
import type { LayerStack } from '../../ports/versions.ts';
import { newHead, openForTest, type OpenStore } from '../samples.conformance.ts';
import { domainVectorsConformance } from './domain-vectors.conformance.ts';
import {
  documentOf,
  meaningOf,
  MODEL,
  NOTHING,
  openVectorModel,
  TENANT,
  type VectorModel,
} from './vector-model.conformance.ts';

const LONG_MS = 60_000;

export function vectorIndexConformance(open: OpenStore): void {
  describe('vector index', () => {
    nearnessConformance(open);
    modelConformance(open);
    viewConformance(open);
    historyConformance(open);
    sizeConformance(open);
    domainVectorsConformance(open);
  });
}

function nearnessConformance(open: OpenStore): void {
  test('finds similar texts, the nearest first', async () => {
    const { put, find } = await openVectorModel(open);
    await put(1, {
      'a/invoice': 'send an invoice',
      'a/deploy': 'deploy it',
      'a/both': 'invoice deploy',
    });
    const hits = await find([1], 'invoice deploy');
    expect(hits).toHaveLength(3);
    expect(hits[0]).toMatchObject({ id: 'a/both', layer: 1 });
    expect(hits[0]?.similarity).toBeCloseTo(1, 2);
    expect(await find([1], 'invoice deploy', { top_k: 1 })).toHaveLength(1);
  });

  test('returns the similarity of given documents, in the view or not', async () => {
    const { store, put, compare } = await openVectorModel(open);
    await put(1, { a: 'invoice', b: 'deploy', mute: '' });
    await put(2, { a: 'report' });
    const keys = [
      { layer: 1, id: 'a' },
      { layer: 2, id: 'a' },
      { layer: 1, id: 'b' },
      { layer: 1, id: 'mute' },
      { layer: 1, id: 'gone' },
      { layer: 3, id: 'a' },
    ];
    expect(await compare('invoice', keys)).toHaveLength(3);
    expect(await compare('invoice', [])).toEqual([]);
    const queryVector = { model: MODEL.name, vector: meaningOf('invoice') };
    expect(await store.vectors.compareVectors(2, queryVector, keys)).toEqual([]);
    const unknown = { ...queryVector, model: 'test/none' };
    expect(await store.vectors.compareVectors(TENANT, unknown, keys)).toEqual([]);
  });
}

function modelConformance(open: OpenStore): void {
  test('stores models of different dimensions', async () => {
    const { store, put } = await openVectorModel(open);
    const { vectors } = store;
    const other = { name: 'test/two', dimensions: 8 };
    await put(1, { a: 'invoice' });
    await vectors.addModel(other);
    await vectors.addModel(other);
    const vector = meaningOf('invoice', other);
    const query = { ...NOTHING, model: other.name, vector };
    expect(await vectors.searchVectors(TENANT, [1], query)).toEqual([]);
    const shelf = { layer: 1, kind: 'artifact', model: other.name } as const;
    await vectors.putVectors(TENANT, shelf, [{ id: 'a', vector }]);
    expect(await vectors.searchVectors(TENANT, [1], query)).toMatchObject([{ id: 'a' }]);
    await expect(vectors.addModel({ ...other, dimensions: 9 })).rejects.toMatchObject({
      code: 'config.invalid',
    });
    const short = [{ id: 'a', vector: Float32Array.of(1) }];
    await expect(vectors.putVectors(TENANT, shelf, short)).rejects.toThrow();
    expect(await vectors.countVectors(TENANT, other.name)).toBe(1);
  });

  test('returns an error for a model that was never added', async () => {
    const { vectors } = await openForTest(open);
    await expectUnknown(vectors, 'test/none');
    await vectors.dropModel('test/none');
  });

  test('drops a model with its vectors, and no other model', async () => {
    const { store, put, find } = await openVectorModel(open);
    const { vectors } = store;
    const other = { ...MODEL, name: 'test/two' };
    await vectors.addModel(other);
    await put(1, { a: 'invoice', b: 'deploy' });
    const vector = meaningOf('invoice');
    const shelf = { layer: 1, kind: 'artifact', model: other.name } as const;
    await vectors.putVectors(TENANT, shelf, [{ id: 'a', vector }]);
    await vectors.dropModel(other.name);
    await expectUnknown(vectors, other.name);
    await vectors.addModel({ ...other, dimensions: 8 });
    expect(await vectors.countVectors(TENANT, other.name)).toBe(0);
    expect(await find([1], 'invoice')).toHaveLength(2);
    expect(await vectors.countVectors(TENANT, MODEL.name)).toBe(2);
  });
}

async function expectUnknown(vectors: VectorIndex, model: string): Promise<void> {
  const query = { ...NOTHING, model, vector: meaningOf('invoice') };
  expect(await vectors.searchVectors(TENANT, [1], query)).toEqual([]);
  expect(await vectors.searchDomainVectors(TENANT, [1], query)).toEqual([]);
  expect(await vectors.countVectors(TENANT, model)).toBe(0);
}

function viewConformance(open: OpenStore): void {
  test('uses only the highest visible layer of an id, searched or not', async () => {
    const model = await openVectorModel(open);
    await model.put(1, { a: 'invoice', b: 'invoice' });
    await model.put(2, { a: 'something else' });
    await model.putUnsearched(3, ['b']);
    expect(await namesOf(model, [1])).toEqual(['1 a', '1 b']);
    expect(await namesOf(model, [1, 2])).toEqual(['1 b', '2 a']);
    expect(await namesOf(model, [2, 1])).toEqual(['1 a', '1 b']);
    expect(await namesOf(model, [1, 2, 3])).toEqual(['2 a']);
    expect(await namesOf(model, [])).toEqual([]);
  });

  test('hides a document while a higher layer has its id', async () => {
    const model = await openVectorModel(open);
    await model.put(1, { a: 'invoice' });
    expect(await namesOf(model, [1, 2])).toEqual(['1 a']);
    await model.putUnsearched(2, ['a']);
    expect(await namesOf(model, [1, 2])).toEqual([]);
    await model.remove(2, ['a']);
    expect(await namesOf(model, [1, 2])).toEqual(['1 a']);
  });

  test('orders equal similarities by precedence and then by id', async () => {
    const { put, find } = await openVectorModel(open);
    await put(1, { c: 'invoice', a: 'invoice' });
    await put(2, { z: 'invoice' });
    const order = async (layers: LayerStack, top_k: number): Promise<string[]> =>
      (await find(layers, 'invoice', { top_k })).map(({ id }) => id);
    expect(await order([1, 2], 10)).toEqual(['z', 'a', 'c']);
    expect(await order([1, 2], 2)).toEqual(['z', 'a']);
    expect(await order([2, 1], 10)).toEqual(['a', 'c', 'z']);
    expect(await order([2, 1], 1)).toEqual(['a']);
  });

  test('filters by type, by all tags and by scope', async () => {
    const model = await openVectorModel(open);
    await model.put(1, { 'ops/a': 'invoice', 'ops/a/b': 'invoice', 'opsx/c': 'invoice' });
    await model.put(1, { 'ops/rule': 'invoice' }, { type: 'rule', tags: ['x', 'y'] });
    expect(await namesOf(model, [1], { type: 'rule' })).toEqual(['1 ops/rule']);
    expect(await namesOf(model, [1], { tags: ['y', 'x'] })).toEqual(['1 ops/rule']);
    expect(await namesOf(model, [1], { tags: ['x', 'z'] })).toEqual([]);
    expect(await namesOf(model, [1], { scope: 'ops/a' })).toEqual(['1 ops/a', '1 ops/a/b']);
    expect(await namesOf(model, [1], { scope: 'ops', type: 'skill' })).toEqual([
      '1 ops/a',
      '1 ops/a/b',
    ]);
  });

  test('isolates tenants', async () => {
    const { store, put } = await openVectorModel(open);
    await put(1, { a: 'invoice' });
    expect(await store.vectors.countVectors(2, MODEL.name)).toBe(0);
    const query = { ...NOTHING, model: MODEL.name, vector: meaningOf('invoice') };
    expect(await store.vectors.searchVectors(2, [1], query)).toEqual([]);
  });
}

function historyConformance(open: OpenStore): void {
  test('replaces and removes vectors, and removes them with their document', async () => {
    const model = await openVectorModel(open);
    const { vectors } = model.store;
    await model.put(1, { a: 'invoice', b: 'invoice', c: 'invoice' });
    await model.put(1, { a: 'deploy' });
    expect((await model.find([1], 'deploy'))[0]).toMatchObject({ id: 'a' });
    const shelf = { layer: 1, kind: 'artifact', model: MODEL.name } as const;
    await vectors.putVectors(TENANT, shelf, [{ id: 'none', vector: meaningOf('invoice') }]);
    expect(await vectors.countVectors(TENANT, MODEL.name)).toBe(3);
    await model.removeVectors(1, ['a', 'unknown']);
    expect(await namesOf(model, [1])).toEqual(['1 b', '1 c']);
    await model.remove(1, ['b']);
    expect(await namesOf(model, [1])).toEqual(['1 c']);
    await model.put(1, { b: '' });
    expect(await namesOf(model, [1])).toEqual(['1 c']);
    await model.putUnsearched(1, ['c']);
    expect(await namesOf(model, [1])).toEqual([]);
    expect(await vectors.countVectors(TENANT, MODEL.name)).toBe(0);
  });

  test('ignores vectors of unknown documents', async () => {
    const { store, put, find } = await openVectorModel(open);
    await put(1, { a: 'invoice', b: 'deploy' });
    const before = await find([1], 'invoice');
    const shelf = { layer: 1, kind: 'artifact', model: MODEL.name } as const;
    await store.vectors.putVectors(TENANT, shelf, [
      { id: 'a', vector: meaningOf('invoice') },
      { id: 'unknown', vector: meaningOf('deploy') },
    ]);
    expect(await find([1], 'invoice')).toEqual(before);
    expect(await store.vectors.countVectors(TENANT, MODEL.name)).toBe(2);
  });

  test('restores all vectors on rollback', async () => {
    const { store, put, find } = await openVectorModel(open);
    await put(1, { a: 'invoice', b: 'deploy' });
    await find([1], 'invoice');
    const undone = store.transaction(async ({ versions, search }) => {
      await search.removeDocuments(TENANT, 1, ['a']);
      await search.putDocuments(TENANT, 1, [documentOf('c', 'invoice')]);
      await versions.putHeads(TENANT, 2, [newHead({ id: 'b', layer: 2 })]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await find([1, 2], 'invoice')).toHaveLength(2);
  });

  test('removes vectors with their layer', async () => {
    const { store, put } = await openVectorModel(open);
    await put(1, { a: 'invoice' });
    await put(2, { b: 'invoice' });
    await store.transaction(({ layers }) => layers.purge(TENANT, 2));
    const query = { ...NOTHING, model: MODEL.name, vector: meaningOf('invoice') };
    expect(await store.vectors.searchVectors(TENANT, [1, 2], query)).toMatchObject([{ id: 'a' }]);
    expect(await store.vectors.countVectors(TENANT, MODEL.name)).toBe(1);
  });

  test(
    'returns the same as comparing all vectors after any history of writes',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
          const model = await openVectorModel(open);
          for (const { kind, layer, texts, given, asked: queryVector } of steps) {
            const ids = Object.keys(texts);
            if (kind === 'put') await model.put(layer, texts, given);
            else await model[kind](layer, ids);
            await model.find(queryVector.layers, queryVector.text, queryVector.filters);
            const keys = queryVector.layers.flatMap((number) =>
              ids.map((id) => ({ layer: number, id })),
            );
            await model.compare(queryVector.text, keys);
          }
          await model.store.close();
        }),
        { numRuns: 20 },
      );
    },
    LONG_MS,
  );
}

function sizeConformance(open: OpenStore): void {
  test(
    'compares all of 1,500 vectors',
    async () => {
      const { put, find } = await openVectorModel(open);
      const texts = Array.from({ length: 1_500 }, (_, at) => [`d/${at}`, `word${at} of${at % 7}`]);
      await put(1, Object.fromEntries(texts));
      for (const wanted of [0, 700, 1_499]) {
        const [best] = await find([1], `word${wanted} of${wanted % 7}`, { top_k: 100 });
        expect(best).toMatchObject({ id: `d/${wanted}` });
      }
    },
    LONG_MS,
  );
}

async function namesOf(
  { find }: VectorModel,
  layers: LayerStack,
  given?: Parameters<VectorModel['find']>[2],
): Promise<string[]> {
  const hits = await find(layers, 'invoice', given);
  return hits.map(({ layer, id }) => `${layer} ${id}`).sort();
}

const LAYERS = [1, 2, 3];
const id = fc.constantFrom('a', 'a/b', 'a/b/c', 'a/bc', 'b/x', 'b/y', 'é/ü');
const text = fc.constantFrom('invoice', 'invoice report', 'deploy', 'report', '');
const tags = fc.subarray(['x', 'y']);
const step = fc.record({
  kind: fc.constantFrom('put', 'put', 'putUnsearched', 'remove', 'removeVectors'),
  layer: fc.constantFrom(...LAYERS),
  texts: fc.dictionary(id, text, { maxKeys: 4 }),
  given: fc.record({ type: fc.constantFrom('skill', 'rule'), tags }),
  asked: fc.record({
    layers: fc.shuffledSubarray(LAYERS),
    text: fc.constantFrom('invoice', 'report deploy'),
    filters: fc.record({
      type: fc.constantFrom('', '', 'rule'),
      tags: fc.oneof(fc.constant([]), tags),
      scope: fc.constantFrom('', '', 'a', 'a/b'),
      top_k: fc.integer({ min: 1, max: 5 }),
    }),
  }),
});
