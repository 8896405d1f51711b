import type { Embedder } from '@catalog/core/ports/embedder';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { openMemoryRegistry, type MemoryRegistry } from '@catalog/testkit/memory-registry';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { embedText } from '@catalog/testkit/test-embedder';
import { expect, onTestFinished, test } from 'vitest';
import {
  createQdrantCollection,
  QDRANT_MODEL,
  startQdrantStandIn,
} from '../../../../../tools/services/vector-engines/qdrant-stand-in.ts';
import { loadSettings } from '../../config/load.ts';
import type { Settings } from '../../config/settings.ts';
import { searchArtifacts } from '../../registry/discover/search-artifacts.ts';
import { adoptModel } from '../../registry/search/adopt-model.ts';
import { embedWaiting } from '../../registry/search/embed-waiting.ts';
import { settleModel } from '../../registry/search/settle-model.ts';
import { monotonicMs } from '../clock.ts';
import { resolveHost } from '../egress/check-address.ts';
import { createSendRequest } from '../egress/send-request.ts';
import { createCircuitBreaker } from '../embedder/circuit-breaker.ts';
import { openVectorBackend } from './open-vector-backend.ts';

const KEY = 'a-key';
const signal = new AbortController().signal;
const send = createSendRequest(
  {
    allowed_hosts: ['127.0.0.1'],
    proxy: { http: undefined, https: undefined, except: [] },
    ca_file: undefined,
  },
  resolveHost,
);

const embedder: Embedder = {
  model: { name: 'test/words/64/t1', dimensions: 64 },
  floor: 0.3,
  leastNearest: async () => 0.3,
  batch_size: 32,
  parallel: 1,
  embed: async (texts) => texts.map((text) => embedText(text.replace('bill', 'invoice'), 64)),
};

const embedders = {
  embedder,
  openEmbedderFor: (name: string) => (name === embedder.model.name ? embedder : undefined),
};

function settingsOf(env: Readonly<Record<string, string>>): Settings {
  const home = temporaryFolder();
  const given = { CATALOG_EGRESS_ALLOWED_HOSTS: '127.0.0.1', ...env };
  return loadSettings({ cwd: home, home, env: given, flags: {} }).settings;
}

interface QdrantPlace {
  url: string;
  settings: (collection: string, inference_model?: string) => Settings;
}

async function startQdrant(): Promise<QdrantPlace> {
  const server = await startQdrantStandIn(KEY);
  onTestFinished(() => server.close());
  await createQdrantCollection(server.url, KEY, 'vectors', 64);
  await createQdrantCollection(server.url, KEY, 'texts', 384);
  return {
    url: server.url,
    settings: (collection, inference_model = '') =>
      settingsOf({
        CATALOG_VECTOR_BACKEND: 'qdrant-cloud',
        CATALOG_QDRANT_URL: server.url,
        CATALOG_QDRANT_API_KEY: KEY,
        CATALOG_QDRANT_COLLECTION: collection,
        CATALOG_QDRANT_INFERENCE_MODEL: inference_model,
      }),
  };
}

async function openRegistry(): Promise<
  MemoryRegistry & { use: (settings: Settings) => Promise<void> }
> {
  const opened = await openMemoryRegistry();
  onTestFinished(() => opened.close());
  const { registry } = opened;
  await opened.addLayer('one');
  return {
    ...opened,
    async use(settings) {
      const breaker = createCircuitBreaker(monotonicMs);
      const world = { store: registry.store, send, breaker, embedders };
      const backend = await openVectorBackend(settings, world);
      registry.search = { ...registry.search, ...backend };
      await adoptModel(registry);
    },
  };
}

async function embedAll({ registry }: MemoryRegistry): Promise<void> {
  const { embedder: configured } = registry.search;
  if (configured === undefined) return expect.unreachable('nothing makes vectors');
  while ((await embedWaiting(registry, configured, signal)).claimed > 0);
  return settleModel(registry, configured);
}

const NO_FILTERS = { type: [], tags: [], scope: [], layer: [], harness: '' };

async function search({ registry, context }: MemoryRegistry, query: string) {
  const searchRequest = { ...NO_FILTERS, query, top_k: 10, as_admin: false };
  const { results, degraded = false } = await searchArtifacts(registry, context, searchRequest);
  return { ids: results.map(({ id }) => id), degraded };
}

function rule(description: string): { 'ARTIFACT.md': string } {
  return {
    'ARTIFACT.md': `---\ntype: rule\nversion: 1.0.0\nname: x\nrule_mode: always\ndescription: ${description}\n---\nText.\n`,
  };
}

function countAll({ registry }: MemoryRegistry): Promise<number> {
  const { embedder: configured, vectors } = registry.search;
  return vectors.countVectors(ONLY_TENANT, configured?.model.name ?? '');
}

test('the engine finds ingested artifacts by meaning and forgets them with their source', async () => {
  const qdrant = await startQdrant();
  const opened = await openRegistry();
  await opened.use(qdrant.settings('vectors'));
  const packages = {
    'a/pay': rule('Send an invoice to a customer.'),
    'a/ship': rule('Deploy it to production.'),
  };
  await opened.ingest('one', { packages });
  expect(await search(opened, 'bill')).toEqual({ ids: [], degraded: false });
  await embedAll(opened);
  expect(await search(opened, 'bill')).toEqual({ ids: ['a/pay'], degraded: false });
  expect(await countAll(opened)).toBe(2);
  await opened.ingest('one', { packages: { 'a/ship': packages['a/ship'] } });
  expect(await search(opened, 'bill')).toEqual({ ids: [], degraded: false });
  await embedAll(opened);
  expect(await countAll(opened)).toBe(1);
});

test('content of unknown words is neither stored as a point nor found', async () => {
  const qdrant = await startQdrant();
  const opened = await openRegistry();
  await opened.use(qdrant.settings('vectors'));
  await opened.ingest('one', { packages: { 'a/pay': rule('Send an invoice.') } });
  await embedAll(opened);
  const { embedder: configured, vectors } = opened.registry.search;
  const model = configured?.model.name ?? '';
  const nothing = new Float32Array(64);
  const query = { model, vector: nothing, type: '', tags: [], scope: '', top_k: 2 };
  expect(await vectors.searchVectors(ONLY_TENANT, [1], query)).toEqual([]);
  const shelf = { layer: 1, kind: 'artifact', model } as const;
  await vectors.putVectors(ONLY_TENANT, shelf, [{ id: 'a/pay', vector: nothing }]);
  expect(await countAll(opened)).toBe(0);
});

test('searches use the vectors of the store while an engine is filled', async () => {
  const qdrant = await startQdrant();
  const opened = await openRegistry();
  await opened.use(settingsOf({}));
  await opened.ingest('one', { packages: { 'a/pay': rule('Send an invoice.') } });
  await embedAll(opened);
  expect(await search(opened, 'bill')).toEqual({ ids: ['a/pay'], degraded: false });
  await opened.use(qdrant.settings('vectors'));
  expect(await countAll(opened)).toBe(0);
  expect(await search(opened, 'bill')).toEqual({ ids: ['a/pay'], degraded: false });
  await embedAll(opened);
  expect(await countAll(opened)).toBe(1);
  await opened.registry.store.vectors.dropModel(embedder.model.name);
  expect(await search(opened, 'bill')).toEqual({ ids: ['a/pay'], degraded: false });
  // Vectors in the engine are unreachable after the setting is removed, and are not requested.
  await opened.use(settingsOf({}));
  const there = (await opened.registry.store.embeddings.listModels()).find(
    ({ external }) => external,
  );
  expect(opened.registry.search.openEmbedder(there?.name ?? '')).toBeUndefined();
});

test('an engine that embeds receives texts', async () => {
  const qdrant = await startQdrant();
  const opened = await openRegistry();
  await opened.use(qdrant.settings('texts', QDRANT_MODEL));
  await opened.ingest('one', {
    packages: { 'a/pay': rule('Send an invoice — größer.'), 'a/ship': rule('Deploy it.') },
  });
  await embedAll(opened);
  expect(await countAll(opened)).toBe(2);
  const { embedder: configured, vectors } = opened.registry.search;
  const [vector] = (await configured?.embed(['größer invoice'], 'query', signal)) ?? [];
  const model = configured?.model.name ?? '';
  const query = {
    model,
    vector: vector ?? new Float32Array(),
    type: '',
    tags: [],
    scope: '',
    top_k: 2,
  };
  const [first, second] = await vectors.searchVectors(ONLY_TENANT, [1], query);
  expect(first).toMatchObject({ id: 'a/pay' });
  expect(first?.similarity).toBeGreaterThan((second?.similarity ?? 0) + 0.2);
  expect(await search(opened, 'invoice')).toMatchObject({ ids: ['a/pay'], degraded: false });
});

test('a registry starts while its engine is unavailable, and searches use words only', async () => {
  const opened = await openRegistry();
  const away = settingsOf({
    CATALOG_VECTOR_BACKEND: 'qdrant-cloud',
    CATALOG_QDRANT_URL: 'http://127.0.0.1:9',
    CATALOG_QDRANT_COLLECTION: 'vectors',
  });
  await expect(opened.use(away)).rejects.toMatchObject({ code: 'registry.unavailable' });
  const { model } = opened.registry.search.embedder ?? embedder;
  expect(model.name).toBe('test/words/64/t1#qdrant/vectors');
  const now = opened.registry.now().toISOString();
  await opened.registry.store.embeddings.addModel({ ...model, external: true, now });
  await opened.ingest('one', { packages: { 'a/pay': rule('Send an invoice.') } });
  for (let searchRequest = 0; searchRequest < 8; searchRequest += 1) {
    expect(await search(opened, 'invoice')).toEqual({ ids: ['a/pay'], degraded: true });
  }
});

test.each([
  ['none', undefined, 'does not exist'],
  ['texts', undefined, 'but the collection in Qdrant has 384'],
])('the collection %s stops startup', async (collection, model, why) => {
  const qdrant = await startQdrant();
  const opened = await openRegistry();
  await expect(opened.use(qdrant.settings(collection, model))).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.stringContaining(why),
  });
});
