import { listAdmins } from '@catalog/contract/endpoints/access';
import { getReembed, reembed } from '@catalog/contract/endpoints/search-index';
import { reembedJob } from '@catalog/contract/records/reembed';
import { asCaller, asAnonymous, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import {
  startEmbeddingServer,
  type EmbeddingServer,
} from '@catalog/testkit/embedding-servers/embedding-server';
import { ollamaApi } from '@catalog/testkit/embedding-servers/ollama-api';
import { readAudit } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import type { FileTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function rule(description: string): string {
  return `---\ntype: rule\nversion: 1.0.0\nrule_mode: always\ndescription: ${description}\n---\nText.\n`;
}

const OFFICE: FileTree = {
  'finance/invoices/ARTIFACT.md': rule('Send an invoice to every customer.'),
  'finance/reminders/ARTIFACT.md': rule('Remind a customer of what is due.'),
  'ops/deploy/ARTIFACT.md': rule('Bring a release to production.'),
};

async function startWithEmbedder(files: FileTree = OFFICE): Promise<{
  server: RegistryServer;
  provider: EmbeddingServer;
  embedded: () => string[];
}> {
  const provider = await startEmbeddingServer(ollamaApi);
  const server = await startRegistry({
    layers: { base: files },
    settings: {
      'embedding_provider.type': 'ollama',
      'embedding_provider.base_url': provider.url,
      'embedding_provider.model': 'test-model',
      'embedding_provider.dimensions': provider.dimensions,
      'embedding_provider.query_timeout_ms': 300,
      'embedding_provider.timeout_seconds': 1,
      'egress.allowed_hosts': [new URL(provider.url).host],
    },
  });
  await server.call(reembed, { query: { only_missing: 'true' } });
  provider.asked.length = 0;
  return {
    server,
    provider,
    embedded() {
      const texts = provider.asked.splice(0).flatMap((embedRequest) => embedRequest.texts);
      return Object.keys(OFFICE)
        .map((path) => path.replace('/ARTIFACT.md', ''))
        .filter((id) => texts.some((text) => text.includes(id.split('/')[1] ?? '')));
    },
  };
}

describe('POST /v1/admin/reembed', () => {
  verifies(['ADMIN-02', 'ADMIN-10'], 'embeds every artifact and returns the number', async () => {
    const { server, embedded } = await startWithEmbedder();
    const result = await server.call(reembed);
    expect(result).toEqual({ total: 3, succeeded: 3, failed: 0, failures: [] });
    expect(embedded()).toEqual(['finance/invoices', 'finance/reminders', 'ops/deploy']);
  });

  verifies('ADMIN-11', 'of a single artifact requires both id and version', async () => {
    const { server, embedded } = await startWithEmbedder();
    const one = { artifact: 'ops/deploy', version: '1.0.0' };
    expect(await server.call(reembed, { query: one })).toMatchObject({ total: 1, succeeded: 1 });
    expect(embedded()).toEqual(['ops/deploy']);
    for (const query of [{ artifact: 'ops/deploy' }, { version: '1.0.0' }]) {
      expect(await server.request(reembed, { query })).toMatchObject({
        status: 400,
        body: { code: 'registry.invalid_argument' },
      });
    }
    const unknown = { artifact: 'ops/deploy', version: '9.9.9' };
    expect(await server.request(reembed, { query: unknown })).toMatchObject({
      status: 404,
      body: { suggested_action: 'Use a version that is served: 1.0.0.' },
    });
    expect(embedded()).toEqual([]);
  });

  verifies('ADMIN-12', 'with only_missing keeps existing vectors', async () => {
    const { server, provider, embedded } = await startWithEmbedder();
    expect(await server.call(reembed, { query: { only_missing: 'true' } })).toMatchObject({
      total: 0,
    });
    expect(embedded()).toEqual([]);
    provider.fault = { kind: 'status', status: 503 };
    await server.ingest({
      ...OFFICE,
      'ops/deploy/ARTIFACT.md': rule('Ship it.').replace('1.0.0', '1.1.0'),
    });
    provider.fault = { kind: 'well' };
    provider.asked.length = 0;
    expect(await server.call(reembed, { query: { only_missing: 'true' } })).toMatchObject({
      failed: 0,
    });
    expect(embedded()).not.toContain('finance/invoices');
    const missing = await server.call(reembed, { query: { only_missing: 'true' } });
    expect(missing).toMatchObject({ total: 0 });
  });

  verifies('ADMIN-13', 'with since selects artifacts ingested at or after that time', async () => {
    const { server, embedded } = await startWithEmbedder();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const since = new Date().toISOString();
    await server.ingest({
      ...OFFICE,
      'ops/deploy/ARTIFACT.md': rule('Ship it.').replace('1.0.0', '1.1.0'),
    });
    await server.call(reembed, { query: { only_missing: 'true' } });
    embedded();
    expect(await server.call(reembed, { query: { since } })).toMatchObject({ total: 1 });
    expect(embedded()).toEqual(['ops/deploy']);
    const long_ago = '2020-01-01T00:00:00+02:00';
    expect(await server.call(reembed, { query: { since: long_ago } })).toMatchObject({ total: 3 });
    const never = await server.request(reembed, { query: { since: 'yesterday' } });
    expect(never).toMatchObject({ status: 400, body: { code: 'registry.invalid_argument' } });
  });

  verifies('ADMIN-13', 'with since and only_missing applies both filters', async () => {
    const { server, embedded } = await startWithEmbedder();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const since = new Date().toISOString();
    await server.ingest({
      ...OFFICE,
      'ops/deploy/ARTIFACT.md': rule('Ship it.').replace('1.0.0', '1.1.0'),
    });
    await server.call(reembed, { query: { only_missing: 'true' } });
    const { store } = server.registry;
    const [model] = await store.embeddings.listModels();
    if (model === undefined) throw new Error('no model');
    const layerTexts = { layer: 1, kind: 'artifact', model: model.name } as const;
    await store.vectors.removeVectors(1, layerTexts, ['finance/invoices', 'ops/deploy']);
    embedded();
    const query = { only_missing: 'true', since };
    expect(await server.call(reembed, { query })).toMatchObject({ total: 1, succeeded: 1 });
    expect(embedded()).toEqual(['ops/deploy']);
    expect(await server.call(reembed, { query })).toMatchObject({ total: 0 });
    expect(await server.call(reembed, { query: { only_missing: 'true' } })).toMatchObject({
      total: 1,
    });
    expect(embedded()).toEqual(['finance/invoices']);
  });

  verifies('ADMIN-14', 'requires an administrator', async () => {
    const server = await startRegistry({
      settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'] },
    });
    const ada = server.as(asCaller({ subject: 'ada' }));
    expect((await ada.call(listAdmins)).admins).toHaveLength(1);
    expect(await ada.request(reembed)).toMatchObject({ status: 200 });
    const [record] = (await readAudit(server)).filter(({ type }) => type === 'admin.reembed');
    expect(record).toMatchObject({ 'caller.identity': 'ada' });
    for (const caller of [asCaller({ subject: 'bob' }), asAnonymous()]) {
      for (const [row, options] of [
        [reembed, {}],
        [getReembed, { params: { job: 'any' } }],
      ] as const) {
        expect(await server.as(caller).request(row, options)).toMatchObject({
          status: 403,
          body: { code: 'auth.forbidden' },
        });
      }
    }
  });

  verifies('ADMIN-02', 'lists every failed artifact with its version and reason', async () => {
    const { server, provider } = await startWithEmbedder();
    provider.fault = { kind: 'wrong_dimension' };
    const result = await server.call(reembed);
    expect(result).toMatchObject({ total: 3, succeeded: 0, failed: 3 });
    expect(result.failures).toContainEqual({
      artifact_id: 'ops/deploy',
      version: '1.0.0',
      reason: expect.stringContaining('dimension'),
    });
  });

  test('continues in the background with wait=false, and its job can be read', async () => {
    const { server } = await startWithEmbedder();
    const { status, body } = await server.request(reembed, { query: { wait: 'false' } });
    expect(status).toBe(202);
    const { job, total } = reembedJob.parse(body);
    expect(total).toBe(3);
    await expect
      .poll(() => server.call(getReembed, { params: { job } }), { timeout: 20_000 })
      .toMatchObject({ job, state: 'done', succeeded: 3, remaining: 0 });
    expect(await server.request(getReembed, { params: { job: 'none' } })).toMatchObject({
      status: 404,
      body: { code: 'registry.not_found' },
    });
  });

  test('returns an error with the setting to change if embeddings are disabled', async () => {
    const server = await startRegistry({ settings: { no_embeddings: true } });
    expect(await server.request(reembed)).toMatchObject({
      status: 400,
      body: { suggested_action: expect.stringContaining('embedding_provider.type') },
    });
  });
});
