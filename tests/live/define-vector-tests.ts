import { randomInt, randomUUID } from 'node:crypto';
import {
  engineChecks,
  selfEmbeddingChecks,
  type EnginePlace,
} from '@catalog/core/conformance/vector-engine/vector-engine.conformance';
import { createSearchModel } from '@catalog/core/conformance/search-index/search-model.conformance';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { hybridSearch } from '@catalog/core/search/hybrid-search';
import { externalVectorIndex } from '@catalog/server/adapters/vector-engine/external-vector-index';
import { openSqliteStore } from '@catalog/server/adapters/store/sqlite/open-store';
import { embedText } from '@catalog/testkit/test-embedder';
import { afterAll, describe, expect, onTestFinished, type TestContext } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import {
  LIVE_BACKENDS,
  openLiveBackend,
  type LiveBackend,
  type LiveCollection,
  type LiveVariables,
} from './live-backends.ts';

const DIMENSIONS = 1536;

/** A remote backend can be slow, and shows writes with a delay. */
const timeout = 180_000;

const CHECKED: Readonly<Record<keyof typeof engineChecks, readonly string[]>> = {
  'put is found, the nearest first': ['VEC-10'],
  'what is put again is replaced': ['VEC-10'],
  'what is removed is gone': ['VEC-10'],
  'tenants are kept apart': ['VEC-11'],
  'models are kept apart, and go as a whole': ['VEC-10'],
  'vectors of other dimensions are refused': ['VEC-12'],
  'no more than top_k are answered': ['VEC-13'],
  'the nearest of some hundred are found': ['VEC-14'],
  'layer, kind, type, all tags, scope and keys are filtered by': ['VEC-10'],
};

/**
 * Reads the variables at the time of the run. All tests of a backend share its vector collection. They
 * use a model name of this run and remove their vectors at the end.
 */
export function defineVectorTests(variables: () => LiveVariables): void {
  describe.each(LIVE_BACKENDS)('%s', (backend) => {
    const model = `live/${randomUUID()}`;
    const openFor = (context: TestContext, collection: LiveCollection): EnginePlace => {
      const opened = openLiveBackend(variables(), backend, collection);
      if (opened.kind === 'skipped') return context.skip(opened.reason);
      return {
        engine: opened.engine,
        model,
        dimensions: DIMENSIONS,
        newTenant: () => randomInt(1, 2 ** 31),
      };
    };

    afterAll(async () => {
      for (const collection of ['vectors', 'texts'] as const) {
        const opened = openLiveBackend(variables(), backend, collection);
        if (opened.kind === 'opened') await opened.engine.removeModel(model);
      }
    });

    defineVectors(backend, (context) => openFor(context, 'vectors'));
    defineTexts((context) => openFor(context, 'texts'));
  });
}

type OpenPlace = (context: TestContext) => EnginePlace;

function defineVectors(backend: LiveBackend, open: OpenPlace): void {
  const here = backend === 'weaviate' ? 'Weaviate' : backend;

  verifies(
    ['VEC-01', 'VEC-05'],
    `${here}: the vector collection has ${DIMENSIONS} dimensions and uses cosine similarity`,
    async (context) => {
      const { engine, model, newTenant } = open(context);
      const tenant = newTenant();
      const one = axis(0);
      const between = axis(0, 0.6);
      between[1] = 0.8;
      await engine.check();
      await engine.put(tenant, model, [
        { ...POINT, id: 'one', meaning: { vector: one } },
        { ...POINT, id: 'between', meaning: { vector: between } },
      ]);
      const ask = () => engine.query(tenant, model, { ...QUERY, meaning: { vector: one } });
      await expect.poll(async () => (await ask()).length, POLL).toBe(2);
      const [nearest, other] = await ask();
      expect(nearest?.similarity).toBeCloseTo(1, 3);
      expect(other?.similarity).toBeCloseTo(0.6, 3);
      expect(await engine.check()).toEqual({ dimensions: DIMENSIONS });
    },
    { timeout },
  );

  for (const [name, check] of Object.entries(engineChecks)) {
    const rows = new Map(Object.entries(CHECKED)).get(name) ?? [];
    verifies(rows, name, (context) => check(open(context)), { timeout });
  }

  verifies(
    ['VEC-01', 'VEC-10'],
    'a registry finds the stored vectors by similarity, in the view of the caller',
    (context) => checkSearch(open(context)),
    { timeout },
  );
}

function defineTexts(open: OpenPlace): void {
  verifies(
    ['VEC-02', 'VEC-06'],
    'the embedding collection has the dimensions of its model',
    async (context) => {
      const { engine, model, newTenant } = open(context);
      await engine.put(newTenant(), model, [
        { ...POINT, id: 'a', meaning: { text: 'an invoice' } },
      ]);
      const dimensions = async (): Promise<number> => (await engine.check()).dimensions ?? 0;
      await expect.poll(dimensions, POLL).toBeGreaterThan(0);
      expect(await dimensions()).not.toBe(DIMENSIONS);
    },
    { timeout },
  );

  for (const [name, check] of Object.entries(selfEmbeddingChecks)) {
    verifies('VEC-15', name, (context) => check(open(context)), { timeout });
  }
}

const POLL = { timeout: 45_000, interval: 50 };
const POINT = { layer: 1, kind: 'artifact', type: 'skill', tags: [] } as const;
const QUERY = {
  kind: 'artifact',
  layers: [1],
  type: '',
  tags: [],
  scope: '',
  keys: [],
  top_k: 10,
} as const;

function axis(place: number, length = 1): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  vector[place] = length;
  return vector;
}

const ARTIFACTS = {
  'finance/invoice': 'send an invoice to a customer',
  'finance/report': 'a monthly report of money',
  'ops/deploy': 'deploy the service to production',
};

async function checkSearch({ engine, model }: EnginePlace): Promise<void> {
  const store = await openSqliteStore({ path: ':memory:' });
  onTestFinished(() => store.close());
  const vectors = externalVectorIndex(engine, store, { embeds: false });
  const documents = createSearchModel(store, ONLY_TENANT);
  await vectors.addModel({ name: model, dimensions: DIMENSIONS });

  async function put(layer: number, texts: Readonly<Record<string, string>>): Promise<void> {
    const described = Object.entries(texts);
    await documents.put(
      layer,
      described.map(([id, description]) => ({
        id,
        type: 'skill',
        tags: [],
        name: id,
        description,
        when_to_use: [],
      })),
    );
    const made = described.map(([id, text]) => ({ id, vector: embedText(text, DIMENSIONS) }));
    await vectors.putVectors(ONLY_TENANT, { layer, kind: 'artifact', model }, made);
  }

  const meaning = {
    vector: embedText('customer invoice', DIMENSIONS),
    floor: 0.3,
    least_nearest: 0,
  };
  const search = async (layers: readonly number[]): Promise<string[]> => {
    const answer = await hybridSearch(
      {
        search: store.search,
        vectors,
        ask: async () => ({ ...meaning, model, fusion: 'cosine' }),
        onFailure: (cause) => expect.unreachable(String(cause)),
      },
      ONLY_TENANT,
      layers,
      { query: 'bill', type: '', tags: [], scope: '', top_k: 10 },
    );
    expect(answer.degraded).toBe(false);
    return answer.hits.map(({ layer, id }) => `${layer} ${id}`);
  };
  await put(1, ARTIFACTS);
  await expect.poll(() => search([1]), POLL).toEqual(['1 finance/invoice']);
  await put(2, { 'finance/invoice': 'deploy something else' });
  await expect.poll(() => vectors.countVectors(ONLY_TENANT, model), POLL).toBe(4);
  expect(await search([1])).toEqual(['1 finance/invoice']);
  expect(await search([1, 2])).toEqual([]);
}
