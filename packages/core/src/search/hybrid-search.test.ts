import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes } from '../artifact/compare-bytes.ts';
import type { SearchDocument, SearchQuery } from '../ports/search-index.ts';
import type { VectorHit } from '../ports/vector-index.ts';
import { hybridSearch, type HybridReads, type QueryEmbedding } from './hybrid-search.ts';
import { cosine, referenceHybrid } from './reference-hybrid.ts';
import { referenceSearch, scoreDocument, type SearchedLayer } from './reference-search.ts';
import { roundVector } from './round-vector.ts';

const TENANT = 1;
const DIMENSIONS = 8;
const QUERY: SearchQuery = { query: '', type: '', tags: [], scope: '', top_k: 10 };

interface SyntheticCatalog {
  layers: SearchedLayer[];
  vectors: Map<string, Float32Array>;
  query: Float32Array;
}

const WORDS = ['deploy', 'release', 'review', 'test', 'invoice', 'kubernetes', 'rollback', 'audit'];

function makeWorld(seed: number, documents: number): SyntheticCatalog {
  let state = seed + 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const vector = (): Float32Array => {
    const raw = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
    const length = Math.hypot(...raw);
    return roundVector(raw.map((value) => value / length));
  };
  const words = (): string =>
    Array.from({ length: 3 }, () => WORDS[Math.floor(random() ** 2 * WORDS.length)]).join(' ');
  const vectors = new Map<string, Float32Array>();
  const layers = [1, 2, 3].map((number): SearchedLayer => {
    const held: SearchDocument[] = [];
    for (let at = 0; at < documents; at += 1) {
      if (random() < 0.4) continue;
      const id = `a/d${at}`;
      held.push({ id, type: 'skill', tags: [], name: '', description: words(), when_to_use: [] });
      if (random() < 0.95) vectors.set(`${number} ${id}`, vector());
    }
    return { number, heads: new Set(held.map(({ id }) => id)), documents: held };
  });
  return { layers, vectors, query: vector() };
}

function readsOf(
  { layers, vectors, query }: SyntheticCatalog,
  more: Partial<HybridReads> = {},
): HybridReads {
  const documents = new Map(
    layers.flatMap(({ number, documents: held }) =>
      held.map((document) => [`${number} ${document.id}`, document] as const),
    ),
  );
  const hitOf = ({ layer, id }: { layer: number; id: string }): VectorHit[] => {
    const vector = vectors.get(`${layer} ${id}`);
    return vector === undefined ? [] : [{ layer, id, similarity: cosine(query, vector) }];
  };
  return {
    search: {
      search: async (_tenant, _layers, searchQuery) => referenceSearch(layers, searchQuery),
      scoreDocuments: async (_tenant, terms, keys) =>
        keys.flatMap(({ layer, id }) => {
          const document = documents.get(`${layer} ${id}`);
          return document === undefined ? [] : [scoreDocument(layer, document, terms)];
        }),
    },
    vectors: {
      searchVectors: async (_tenant, _layers, { top_k }) =>
        referenceSearch(layers, { ...QUERY, top_k: Infinity })
          .hits.flatMap(hitOf)
          .sort(
            (a, b) => b.similarity - a.similarity || b.layer - a.layer || compareBytes(a.id, b.id),
          )
          .slice(0, top_k),
      compareVectors: async (_tenant, _vectorQuery, keys) => keys.flatMap(hitOf),
    },
    ask: async () => meaningOf(query),
    onFailure: () => undefined,
    ...more,
  };
}

function meaningOf(vector: Float32Array): QueryEmbedding {
  return { model: 'm', vector, floor: 0.4, least_nearest: 0, fusion: 'cosine' };
}

const STACK = [1, 2, 3];

describe('hybridSearch', () => {
  test('returns the same results in the same order as exhaustive search', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom(5, 60, 700),
        fc.uniqueArray(fc.constantFrom(...WORDS, 'nothing'), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1, 10, 50),
        fc.constantFrom(0, 0.6, 0.9, Infinity),
        async (seed, documents, words, top_k, least_nearest) => {
          const world = makeWorld(seed, documents);
          const query = { ...QUERY, query: words.join(' '), top_k };
          const ask = async () => ({ ...meaningOf(world.query), least_nearest });
          const found = await hybridSearch(readsOf(world, { ask }), TENANT, STACK, query);
          const { layers, vectors } = world;
          expect(found).toEqual(
            referenceHybrid(layers, query, {
              query: world.query,
              of: ({ id }, layer) => vectors.get(`${layer} ${id}`),
              floor: 0.4,
              least_nearest,
            }),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('reads more candidates if the first hundred of each arm do not determine the order', async () => {
    // Documents with the best words have distant vectors, the nearest have no words, and some documents with both are
    // in neither list.
    const groups: [name: string, description: string, similarity: number][] = [
      ['words', 'deploy deploy deploy', -0.9],
      ['near', 'something else', 0.5],
      ['both', 'deploy something else', 0.45],
    ];
    const documents: SearchDocument[] = [];
    const vectors = new Map<string, Float32Array>();
    for (const [name, description, similarity] of groups) {
      for (let at = 0; at < 100; at += 1) {
        const id = `${name}/${at}`;
        documents.push({ id, type: 'skill', tags: [], name: '', description, when_to_use: [] });
        const across = Math.sqrt(1 - similarity ** 2);
        vectors.set(`1 ${id}`, Float32Array.of(similarity, across));
      }
    }
    const layers = [{ number: 1, heads: new Set(documents.map(({ id }) => id)), documents }];
    const reads = readsOf({ layers, vectors, query: Float32Array.of(1, 0) });
    const { hits } = await hybridSearch(reads, TENANT, [1], { ...QUERY, query: 'deploy' });
    expect(hits.map(({ id }) => id.split('/')[0])).toEqual(Array(10).fill('both'));
  });

  test('lists by id without a query, and requests no vector', async () => {
    const world = makeWorld(1, 20);
    const ask = (): never => {
      throw new Error('asked');
    };
    const found = await hybridSearch(readsOf(world, { ask }), TENANT, STACK, QUERY);
    expect(found.degraded).toBe(false);
    expect(found.hits.map(({ id }) => id)).toEqual(
      referenceSearch(world.layers, QUERY).hits.map(({ id }) => id),
    );
  });
});

describe('hybridSearch without vectors', () => {
  const world = makeWorld(2, 60);
  const query = { ...QUERY, query: 'deploy' };
  const fails = (): never => {
    throw new Error('away');
  };
  test.each<[string, Partial<HybridReads>, number]>([
    ['no model', { ask: async () => undefined }, 0],
    ['a model that fails', { ask: async () => fails() }, 1],
    [
      'an engine that fails',
      { vectors: { searchVectors: async () => fails(), compareVectors: async () => [] } },
      1,
    ],
    [
      'an engine that fails halfway',
      { vectors: { searchVectors: async () => [], compareVectors: async () => fails() } },
      1,
    ],
  ])('with %s: ranks by words and reports degraded results', async (_name, more, failures) => {
    const failuresReported: unknown[] = [];
    const reads = readsOf(world, { onFailure: (cause) => failuresReported.push(cause), ...more });
    const found = await hybridSearch(reads, TENANT, STACK, query);
    expect(found.degraded).toBe(true);
    expect(found.hits.map(({ id }) => id)).toEqual(
      referenceSearch(world.layers, query).hits.map(({ id }) => id),
    );
    expect(failuresReported).toHaveLength(failures);
  });

  test('reports a degraded search if the engine fails before it confirms matches by vector only', async () => {
    const near = readsOf(world).vectors;
    const searchVectors: typeof near.searchVectors = async (tenant, layers, wanted) =>
      wanted.top_k === 1 ? fails() : near.searchVectors(tenant, layers, wanted);
    const ask = async () => ({ ...meaningOf(world.query), floor: -1, least_nearest: 0.5 });
    const reads = readsOf(world, { ask, vectors: { ...near, searchVectors } });
    const found = await hybridSearch(reads, TENANT, STACK, { ...QUERY, query: 'zzqx' });
    expect(found).toMatchObject({ hits: [], total_matched: 0, degraded: true });
  });

  test.each([
    ['words', query, true],
    ['a list', QUERY, false],
  ])(
    'without embeddings: %s is not reported as a failure',
    async (_name, searchQuery, words_only) => {
      const reads = readsOf(world, { ask: undefined });
      const found = await hybridSearch(reads, TENANT, STACK, searchQuery);
      expect(found).toMatchObject({ degraded: false, words_only });
    },
  );
});

test('hybridSearch adds reciprocal ranks if similarities are not cosines', async () => {
  const world = makeWorld(5, 60);
  const meaning: QueryEmbedding = { ...meaningOf(world.query), fusion: 'rrf' };
  const reads = readsOf(world, { ask: async () => meaning });
  const found = await hybridSearch(reads, TENANT, STACK, { ...QUERY, query: 'deploy' });
  expect(found.hits[0]?.score).toBeLessThanOrEqual(2 / 61);
  expect(found.hits.map(({ score }) => score)).toEqual(
    found.hits.map(({ score }) => score).toSorted((a, b) => b - a),
  );
});
