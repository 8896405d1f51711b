import { embedText } from '@catalog/testkit/test-embedder';
import { expect } from 'vitest';
import { compareBytes } from '../../artifact/compare-bytes.ts';
import type { DocumentKey, SearchDocument } from '../../ports/search-index.ts';
import type { Store } from '../../ports/store.ts';
import type { VectorHit, VectorQuery } from '../../ports/vector-index.ts';
import type { LayerStack } from '../../ports/versions.ts';
import { referenceSearch } from '../../search/reference-search.ts';
import { roundVector } from '../../search/round-vector.ts';
import { openForTest, type OpenStore } from '../samples.conformance.ts';
import { createSearchModel, type SearchModel } from '../search-index/search-model.conformance.ts';

export const TENANT = 1;
export const MODEL = { name: 'test/one', dimensions: 64 };

export interface VectorModel extends Pick<SearchModel, 'putUnsearched'> {
  store: Store;
  /** Puts a document. An empty text has no vector. */
  put: (
    layer: number,
    texts: Readonly<Record<string, string>>,
    given?: Partial<SearchDocument>,
  ) => Promise<void>;
  remove: (layer: number, ids: readonly string[]) => Promise<void>;
  removeVectors: (layer: number, ids: readonly string[]) => Promise<void>;
  find: (layers: LayerStack, text: string, given?: Filters) => Promise<VectorHit[]>;
  compare: (text: string, documents: readonly DocumentKey[]) => Promise<VectorHit[]>;
}

export type Filters = Partial<Pick<VectorQuery, 'type' | 'tags' | 'scope' | 'top_k'>>;

export const NOTHING = { type: '', tags: [], scope: '', top_k: 10 };

export async function openVectorModel(open: OpenStore): Promise<VectorModel> {
  const store = await openForTest(open);
  await store.vectors.addModel(MODEL);
  const documents = createSearchModel(store, TENANT);
  const held = new Map<string, Float32Array>();
  const shelf = (layer: number) => ({ layer, kind: 'artifact', model: MODEL.name }) as const;

  function compareAll(text: string, keys: readonly DocumentKey[]): VectorHit[] {
    const queryVector = meaningOf(text);
    return keys.flatMap(({ layer, id }) => {
      const vector = held.get(keyOf({ layer, id }));
      return vector === undefined ? [] : [{ layer, id, similarity: cosineOf(queryVector, vector) }];
    });
  }

  async function removeVectors(layer: number, ids: readonly string[]): Promise<void> {
    for (const id of ids) held.delete(keyOf({ layer, id }));
    await store.vectors.removeVectors(TENANT, shelf(layer), ids);
  }

  return {
    store,
    removeVectors,
    async put(layer, texts, given = {}) {
      const described = Object.entries(texts);
      await documents.put(
        layer,
        described.map(([id, text]) => documentOf(id, text, given)),
      );
      const meant = described.filter(([, text]) => text !== '');
      const vectors = meant.map(([id, text]) => ({ id, vector: meaningOf(text) }));
      for (const { id, vector } of vectors) held.set(keyOf({ layer, id }), vector);
      await store.vectors.putVectors(TENANT, shelf(layer), vectors);
      // A replaced document may keep its vector until its new vector is stored.
      const mute = described.filter(([, text]) => text === '').map(([id]) => id);
      await removeVectors(layer, mute);
      await store.vectors.settle(MODEL.name);
    },
    async putUnsearched(layer, ids) {
      for (const id of ids) held.delete(keyOf({ layer, id }));
      await documents.putUnsearched(layer, ids);
    },
    async remove(layer, ids) {
      for (const id of ids) held.delete(keyOf({ layer, id }));
      await documents.remove(layer, ids);
    },
    async find(layers, text, given = {}) {
      const query = { ...NOTHING, ...given };
      const queryVector = { ...query, model: MODEL.name, vector: meaningOf(text) };
      const hits = await store.vectors.searchVectors(TENANT, layers, queryVector);
      const everything = { ...query, query: '', top_k: Infinity };
      const view = referenceSearch(documents.view(layers), everything).hits;
      const nearest = compareAll(text, view).sort(
        (a, b) =>
          b.similarity - a.similarity ||
          layers.indexOf(b.layer) - layers.indexOf(a.layer) ||
          compareBytes(a.id, b.id),
      );
      expect(hits, JSON.stringify({ layers, text, query })).toEqual(nearest.slice(0, query.top_k));
      return hits;
    },
    async compare(text, keys) {
      const queryVector = { model: MODEL.name, vector: meaningOf(text) };
      const hits = await store.vectors.compareVectors(TENANT, queryVector, keys);
      expect(byKey(hits)).toEqual(byKey(compareAll(text, keys)));
      return hits;
    },
  };
}

export function meaningOf(text: string, { dimensions } = MODEL): Float32Array {
  return embedText(text, dimensions);
}

/** Returns the cosine similarity of rounded vectors, which is exact in every engine. */
export function cosineOf(a: Float32Array, b: Float32Array): number {
  const other = roundVector(b);
  return roundVector(a).reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

export function documentOf(
  id: string,
  description: string,
  given: Partial<SearchDocument> = {},
): SearchDocument {
  return { id, type: 'skill', tags: [], name: id, description, when_to_use: [], ...given };
}

function keyOf({ layer, id }: DocumentKey): string {
  return `${layer} ${id}`;
}

function byKey(hits: readonly VectorHit[]): VectorHit[] {
  return hits.toSorted((a, b) => compareBytes(keyOf(a), keyOf(b)));
}
