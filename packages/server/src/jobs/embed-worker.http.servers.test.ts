import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import type { SearchResponse } from '@catalog/contract/records/discovery';
import {
  startEmbeddingServer,
  type EmbeddingServer,
} from '@catalog/testkit/embedding-servers/embedding-server';
import { ollamaApi } from '@catalog/testkit/embedding-servers/ollama-api';
import { temporaryDatabase } from '@catalog/testkit/postgres-database';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../config/settings.ts';

function rule(description: string): string {
  return `---\ntype: rule\nversion: 1.0.0\nrule_mode: always\ndescription: ${description}\n---\nText.\n`;
}

function parcels(count: number): FileTree {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `post/rule-${at}/ARTIFACT.md`,
      rule(`What to do with parcel ${at}.`),
    ]),
  );
}

function madeBy(provider: EmbeddingServer): Partial<Settings> {
  return {
    'embedding_provider.type': 'ollama',
    'embedding_provider.base_url': provider.url,
    'embedding_provider.model': 'test-model',
    'embedding_provider.dimensions': provider.dimensions,
    'egress.allowed_hosts': [new URL(provider.url).host],
  };
}

async function openDatabase(): Promise<Partial<Settings>> {
  const { dsn } = await temporaryDatabase();
  return { 'store.type': 'postgres', 'store.dsn': dsn, 'store.pool_size': 4 };
}

function search(server: RegistryServer, query: string): Promise<SearchResponse> {
  return server.call(searchArtifacts, { query: { query, explain: 'true', top_k: '50' } });
}

async function listEmbedded(server: RegistryServer, query: string): Promise<string[]> {
  const { results } = await search(server, query);
  return results
    .filter(({ explanation }) => typeof explanation?.similarity === 'number')
    .map(({ id }) => id);
}

function textsOf(...providers: readonly EmbeddingServer[]): string[] {
  return providers
    .flatMap(({ asked }) => asked.flatMap(({ texts }) => texts))
    .filter((text) => text.includes('What to do with parcel'));
}

describe('published artifact', () => {
  test('is found by words immediately, and by meaning within a second', async () => {
    const server = await startRegistry({
      layers: { base: { 'ops/deploy/ARTIFACT.md': rule('Bring a release to production.') } },
    });
    await expect.poll(() => listEmbedded(server, 'release')).toEqual(['ops/deploy']);
    await server.ingest({
      'ops/deploy/ARTIFACT.md': rule('Bring a release to production.'),
      'finance/due/ARTIFACT.md': rule('Remind customers of unpaid invoices.'),
    });
    const published = performance.now();
    const { results } = await search(server, 'unpaid');
    expect(results.map(({ id }) => id)).toEqual(['finance/due']);
    await expect
      .poll(async () => (await search(server, 'overdue bills')).results.map(({ id }) => id), {
        interval: 10,
        timeout: 10_000,
      })
      .toEqual(['finance/due']);
    expect(performance.now() - published).toBeLessThan(1000);
  });

  test('does not wait for another one that the provider rejects', async () => {
    const provider = await startEmbeddingServer(ollamaApi);
    provider.refused_text = 'parcel 7.';
    const server = await startRegistry({
      layers: { base: parcels(20) },
      settings: madeBy(provider),
    });
    await expect
      .poll(async () => (await listEmbedded(server, 'parcel')).length, { timeout: 10_000 })
      .toBe(19);
    expect(await listEmbedded(server, 'parcel')).not.toContain('post/rule-7');
    const { results } = await search(server, 'parcel');
    expect(results.map(({ id }) => id)).toContain('post/rule-7');
  });

  test('has no vector if embeddings are disabled', async () => {
    const provider = await startEmbeddingServer(ollamaApi);
    const server = await startRegistry({
      layers: { base: parcels(3) },
      settings: { ...madeBy(provider), no_embeddings: true },
    });
    expect((await search(server, 'parcel')).results).toHaveLength(3);
    expect(await listEmbedded(server, 'parcel')).toEqual([]);
    expect(await server.registry.store.embeddings.listModels()).toEqual([]);
    expect(provider.asked).toEqual([]);
  });
});

test('the embed worker releases its claims on shutdown', async () => {
  const provider = await startEmbeddingServer(ollamaApi);
  provider.fault = { kind: 'hanging' };
  const settings = { ...madeBy(provider), ...(await openDatabase()) };
  const first = await startRegistry({ layers: { base: parcels(3) }, settings, keep: true });
  await expect.poll(() => textsOf(provider).length).toBeGreaterThan(0);
  await first.close();
  provider.fault = { kind: 'well' };
  const second = await startRegistry({ settings });
  await expect
    .poll(async () => (await listEmbedded(second, 'parcel')).length, { timeout: 10_000 })
    .toBe(3);
});

test('the embed workers of two registries on one database share the work', async () => {
  const store = await openDatabase();
  const providers = [await startEmbeddingServer(ollamaApi), await startEmbeddingServer(ollamaApi)];
  const [first, second] = await Promise.all(
    providers.map((provider) => {
      provider.fault = { kind: 'slow', ms: 300 };
      return startRegistry({ settings: { ...madeBy(provider), ...store } });
    }),
  );
  if (first === undefined || second === undefined) throw new Error('two were to be started');
  await first.ingest(parcels(600));
  await expect.poll(() => textsOf(...providers).length, { timeout: 20_000 }).toBe(600);
  expect(new Set(textsOf(...providers)).size).toBe(600);
  for (const provider of providers) expect(textsOf(provider).length).toBeGreaterThan(0);
  for (const server of [first, second]) {
    await expect
      .poll(async () => (await listEmbedded(server, 'parcel 599')).at(0), { timeout: 10_000 })
      .toBe('post/rule-599');
  }
}, 60_000);
