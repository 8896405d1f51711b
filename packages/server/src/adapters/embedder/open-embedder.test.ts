import { describe, expect, test } from 'vitest';
import type { Embedder } from '@catalog/core/ports/embedder';
import { TEXT_VERSION } from '@catalog/core/search/embedded-text';
import { cohereApi } from '@catalog/testkit/embedding-servers/cohere-api';
import type { EmbeddingApi } from '@catalog/testkit/embedding-servers/embedding-api';
import {
  startEmbeddingServer,
  type EmbeddingServer,
} from '@catalog/testkit/embedding-servers/embedding-server';
import { embeddingVariables } from '@catalog/testkit/embedding-servers/embedding-variables';
import type { Variables } from '@catalog/testkit/settings-in-test';
import { ollamaApi } from '@catalog/testkit/embedding-servers/ollama-api';
import {
  openTestEmbedders,
  type TestEmbedders,
} from '@catalog/testkit/embedding-servers/open-provider';
import { openaiApi } from '@catalog/testkit/embedding-servers/openai-api';
import { voyageApi } from '@catalog/testkit/embedding-servers/voyage-api';

const { signal } = new AbortController();

interface Opened extends TestEmbedders {
  server: EmbeddingServer;
  embedder: Embedder;
}

async function open(api: EmbeddingApi, more: Variables = {}, dimensions?: number): Promise<Opened> {
  const server = await startEmbeddingServer(api, dimensions);
  const { embedder, ...embedders } = openTestEmbedders({
    ...embeddingVariables(api, server),
    CATALOG_EMBEDDING_QUERY_TIMEOUT_MS: '30000',
    ...more,
  });
  if (embedder === undefined) throw new Error('vectors are switched off');
  return { ...embedders, embedder, server };
}

describe('embedding request', () => {
  test.each([voyageApi, cohereApi])(
    'contains the side (query or document) for $provider',
    async (api) => {
      const { embedder, server } = await open(api);
      await embedder.embed(['a text'], 'document', signal);
      await embedder.embed(['a question'], 'query', signal);
      expect(server.asked.map(({ side }) => side)).toEqual(['document', 'query']);
    },
  );

  test('contains the prefix of the side if the model uses prefixes', async () => {
    const more = { CATALOG_EMBEDDING_MODEL: 'nomic-embed-text:v1.5' };
    const { embedder, server } = await open(ollamaApi, more);
    await embedder.embed(['a text'], 'document', signal);
    await embedder.embed(['a question'], 'query', signal);
    expect(server.asked.flatMap(({ texts }) => texts)).toEqual([
      'search_document: a text',
      'search_query: a question',
    ]);
  });

  test.each([
    [openaiApi, 'text-embedding-3-small', 1536],
    [voyageApi, 'voyage-3.5', 1024],
    [cohereApi, 'embed-v4.0', 1536],
    [ollamaApi, 'nomic-embed-text', 768],
  ] as const)(
    'contains the dimensions of a known model of %o only if they differ from the default',
    async (api, model, own) => {
      for (const dimensions of [own, 256]) {
        const more = {
          CATALOG_EMBEDDING_MODEL: model,
          CATALOG_EMBEDDING_DIMENSIONS: String(dimensions),
        };
        const { embedder, server } = await open(api, more, own);
        const [vector] = await embedder.embed(['a text'], 'document', signal);
        expect(vector).toHaveLength(dimensions);
        const wanted = dimensions === own ? undefined : dimensions;
        expect(server.asked[0]).toMatchObject({ model, dimensions: wanted });
      }
    },
  );

  test('respects the batch size and the text length limit of the provider', async () => {
    const { embedder, server } = await open(cohereApi);
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
    expect(await embedder.embed(texts, 'document', signal)).toHaveLength(200);
    expect(server.asked.map((sentRequest) => sentRequest.texts.length)).toEqual([96, 96, 8]);
    expect(server.asked.flatMap((sentRequest) => sentRequest.texts)).toEqual(texts);
    server.asked.length = 0;
    await embedder.embed(Array(40).fill('🦙'.repeat(5000)), 'document', signal);
    expect(server.asked.map((sentRequest) => sentRequest.texts.length)).toEqual([16, 16, 8]);
    for (const { texts: sent } of server.asked) {
      for (const text of sent) expect(text.length).toBeLessThanOrEqual(6000);
    }
  });

  test('openEmbedders orders vectors by the index in the response', async () => {
    for (const api of [openaiApi, voyageApi]) {
      const { embedder, server } = await open(api);
      const texts = ['one', 'two', 'three'];
      const wanted = await embedder.embed(texts, 'document', signal);
      server.fault = { kind: 'shuffled' };
      expect(await embedder.embed(texts, 'document', signal)).toEqual(wanted);
    }
  });

  test('openEmbedders reuses one connection and reconnects after it closes', async () => {
    const { embedder, server } = await open(openaiApi);
    for (let time = 0; time < 5; time += 1) {
      await embedder.embed([`text ${time}`], 'query', signal);
    }
    expect(server.connections).toBe(1);
    await server.stop();
    await server.restart();
    expect(await embedder.embed(['after'], 'query', signal)).toHaveLength(1);
    expect(server.connections).toBe(2);
  });
});

describe('API key', () => {
  test('does not appear in errors', async () => {
    const key = 'sk-not-the-right-one';
    const { embedder } = await open(openaiApi, { CATALOG_EMBEDDING_API_KEY: key });
    const error: unknown = await embedder
      .embed(['a text'], 'document', signal)
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: 'registry.embedding_refused',
      retryable: false,
      message: 'The embedding provider openai responded with status 401: it rejected the API key.',
      suggested_action: 'Check embedding_provider.openai.api_key.',
    });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(key);
  });

  test('is not sent again after repeated rejections', async () => {
    const { embedder, server, listProviders } = await open(voyageApi, {
      CATALOG_EMBEDDING_API_KEY: 'wrong',
    });
    for (let time = 0; time < 8; time += 1) {
      await embedder.embed(['a text'], 'document', signal).catch(() => undefined);
    }
    expect(listProviders()).toEqual([{ provider: 'voyage', state: 'open' }]);
    expect(server.asked).toEqual([]);
  });
});

const SHORT = {
  CATALOG_EMBEDDING_TIMEOUT_SECONDS: '3',
  CATALOG_EMBEDDING_QUERY_TIMEOUT_MS: '100',
};

test('openEmbedders uses a separate timeout for documents', async () => {
  const { embedder, server } = await open(openaiApi, { ...SHORT });
  server.fault = { kind: 'slow', ms: 500 };
  expect(await embedder.embed(['a text'], 'document', signal)).toHaveLength(1);
  server.fault = { kind: 'hanging' };
  await expect(embedder.embed(['a text'], 'document', signal)).rejects.toMatchObject({
    code: 'registry.embedding_failed',
    cause: { message: 'no response within 3000 ms' },
  });
});

test('openEmbedders observes each request with its outcome, but not calls that were not sent', async () => {
  const { embedder, server, observed, listProviders } = await open(openaiApi);
  await embedder.embed(['a text'], 'document', signal);
  server.fault = { kind: 'status', status: 429, headers: { 'retry-after': '3' } };
  await embedder.embed(['a question'], 'query', signal).catch(() => undefined);
  await embedder.embed(['a question'], 'query', signal).catch(() => undefined);
  expect(observed).toEqual([
    { provider: 'openai', side: 'document', outcome: 'answered', seconds: expect.any(Number) },
    { provider: 'openai', side: 'query', outcome: 'busy', seconds: expect.any(Number) },
  ]);
  expect(listProviders()).toEqual([{ provider: 'openai', state: 'open' }]);
});

test('openEmbedders rejects a base URL that resolves to a private address and hides it from the message', async () => {
  const { embedder, server } = await open(openaiApi, {
    CATALOG_EMBEDDING_BASE_URL: 'https://localhost:1',
  });
  const error: unknown = await embedder
    .embed(['a text'], 'document', signal)
    .catch((cause: unknown) => cause);
  expect(error).toMatchObject({
    code: 'registry.embedding_failed',
    message: 'The embedding provider openai did not respond.',
  });
  expect(error).toHaveProperty('cause.message', expect.stringContaining('localhost'));
  expect(server.asked).toEqual([]);
});

describe('model', () => {
  test('is the built-in one by default', async () => {
    const { embedder, openEmbedderFor, listProviders } = openTestEmbedders({});
    expect(embedder?.model.name).toMatch(
      new RegExp(`^builtin/builtin-[0-9a-f]{8}/256/t${TEXT_VERSION}$`),
    );
    expect(openEmbedderFor(embedder?.model.name ?? '')).toBe(embedder);
    expect(listProviders()).toEqual([]);
  });

  test.each([
    { CATALOG_NO_EMBEDDINGS: 'true' },
    { CATALOG_EMBEDDING_PROVIDER: 'none' },
    { CATALOG_NO_EMBEDDINGS: 'true', CATALOG_EMBEDDING_PROVIDER: 'openai' },
  ])('is undefined with %o', (env) => {
    expect(openTestEmbedders(env).embedder).toBeUndefined();
  });

  test('has a name with provider, model, dimensions and text version', async () => {
    const { embedder } = await open(openaiApi, { CATALOG_EMBEDDING_MODEL: 'BAAI/bge-m3' });
    expect(embedder.model).toEqual({
      name: `openai/BAAI/bge-m3/48/t${TEXT_VERSION}`,
      dimensions: 48,
    });
  });

  test('can be opened by name for the same provider and for the built-in model', async () => {
    const { openEmbedderFor, server } = await open(openaiApi);
    const former = openEmbedderFor('openai/org/former-model/48/t0');
    expect(former?.model).toEqual({ name: 'openai/org/former-model/48/t0', dimensions: 48 });
    expect(openEmbedderFor('openai/org/former-model/48/t0')).toBe(former);
    expect(await former?.embed(['a question'], 'query', signal)).toHaveLength(1);
    expect(server.asked[0]?.model).toBe('org/former-model');
    const builtin = openTestEmbedders({}).embedder?.model.name ?? '';
    expect(openEmbedderFor(builtin)?.model.name).toBe(builtin);
  });

  test.each([
    'voyage/voyage-3/1024/t1',
    'builtin/builtin-00000000/256/t1',
    'openai/model/0/t1',
    'openai/48/t1',
    'openai',
    'nobody/model/48/t1',
    '',
  ])('cannot be opened by the name %j', async (name) => {
    expect((await open(openaiApi)).openEmbedderFor(name)).toBeUndefined();
  });

  test('of the previous provider can be opened only if the configuration names that provider', async () => {
    const former = await startEmbeddingServer(voyageApi);
    const variables = {
      VOYAGE_API_KEY: former.key,
      CATALOG_VOYAGE_BASE_URL: former.url,
      CATALOG_EGRESS_ALLOWED_HOSTS: '127.0.0.1',
    };
    const name = 'voyage/test-model/48/t1';
    const { openEmbedderFor, embedder } = openTestEmbedders({
      ...variables,
      CATALOG_EMBEDDING_PREVIOUS_PROVIDER: 'voyage',
    });
    expect(embedder?.model.name).toMatch(/^builtin/);
    expect(await openEmbedderFor(name)?.embed(['a question'], 'query', signal)).toHaveLength(1);
    expect(openTestEmbedders(variables).openEmbedderFor(name)).toBeUndefined();
  });

  test('shares its circuit breaker with other models of the provider', async () => {
    const { embedder, openEmbedderFor, server } = await open(openaiApi);
    server.fault = { kind: 'status', status: 500 };
    for (let time = 0; time < 5; time += 1) {
      await embedder.embed(['a text'], 'document', signal).catch(() => undefined);
    }
    const other = openEmbedderFor('openai/another/48/t1');
    await expect(other?.embed(['a text'], 'query', signal)).rejects.toMatchObject({
      details: { not_sent: true },
    });
    expect(server.asked).toHaveLength(5);
  });
});
