import { writeFileSync } from 'node:fs';
import {
  getIngest,
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
} from '@catalog/contract/endpoints/layers';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { acceptedIngest, ingestReport } from '@catalog/contract/records/ingest';
import { readAudit, seedLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test, vi } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function rule(version: string, body: string): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n---\n${body}\n`;
}

async function registerFolder(server: RegistryServer, id = 'base'): Promise<string> {
  const local_path = `${server.folder}/${id}`;
  writeTree(local_path, { 'ops/greet/ARTIFACT.md': rule('1.0.0', 'Wave.') });
  await server.call(registerLayer, { body: { id, source_type: 'local', local_path } });
  return `${local_path}/ops/greet/ARTIFACT.md`;
}

async function reingest(server: RegistryServer, id = 'base', body?: object) {
  return server.request(reingestLayer, { query: { id }, ...(body === undefined ? {} : { body }) });
}

describe('POST /v1/layers/reingest', () => {
  verifies(
    ['LAYER-16', 'LAYER-34'],
    'ingests the current source and returns the report',
    async () => {
      const server = await startRegistry();
      const file = await registerFolder(server);
      expect(await reingest(server)).toMatchObject({
        status: 200,
        body: { layer: 'base', reference: '', conflicts: [], rejected: [] },
      });
      writeFileSync(file, rule('1.1.0', 'Wave twice.'));
      // The folder is also watched, so the ingest of the watch may come first.
      const { status, body } = await reingest(server);
      expect(status).toBe(200);
      const { accepted, idempotent, removed } = ingestReport.parse(body);
      expect([accepted + idempotent, removed]).toEqual([1, 0]);
      const { artifacts } = await server.call(syncManifestEndpoint);
      expect(artifacts).toMatchObject([{ id: 'ops/greet', version: '1.1.0', layer: 'base' }]);
      const [layer] = (await server.call(listLayers)).layers;
      expect(Date.now() - Date.parse(layer?.last_ingested_at ?? '')).toBeLessThan(60_000);
      expect(layer?.last_ingested_at).toMatch(/Z$/);
      expect(await readAudit(server)).toMatchObject([
        { type: 'layer.config_changed', action: 'register' },
        { type: 'layer.reingest_requested', layer: 'base', 'caller.identity': 'system:operator' },
        { type: 'layer.reingest_requested', layer: 'base' },
      ]);
    },
  );

  verifies(['LAYER-16'], 'a layer without an ingest has no fields about one', async () => {
    const server = await startRegistry();
    await seedLayer(server, { id: 'never' });
    const [layer] = (await server.call(listLayers)).layers;
    expect(layer).not.toHaveProperty('last_ingested_at');
    expect(layer).not.toHaveProperty('last_ingested_ref');
  });

  verifies(['LAYER-05'], 'ingests only files below the root', async () => {
    const server = await startRegistry();
    writeTree(`${server.folder}/repo`, {
      'docs/ops/other/ARTIFACT.md': rule('1.0.0', 'Bow.'),
      'skills/ops/greet/ARTIFACT.md': rule('1.0.0', 'Wave.'),
    });
    const local = { source_type: 'local', local_path: `${server.folder}/repo` };
    await server.call(registerLayer, { body: { id: 'part', ...local, root: 'skills' } });
    expect((await reingest(server, 'part')).status).toBe(200);
    const { artifacts } = await server.call(syncManifestEndpoint);
    expect(artifacts.map(({ id }) => id)).toEqual(['ops/greet']);
    expect((await server.call(listLayers)).layers[0]?.root).toBe('skills');
  });

  test('a report with only changed versions returns 409 with each conflict', async () => {
    const server = await startRegistry();
    const file = await registerFolder(server);
    await reingest(server);
    writeFileSync(file, rule('1.0.0', 'Do not wave.'));
    expect(await reingest(server)).toMatchObject({
      status: 409,
      body: {
        code: 'ingest.immutable_violation',
        details: { layer: 'base', conflicts: [{ artifact_id: 'ops/greet', version: '1.0.0' }] },
      },
    });
  });

  test('a report with only lint failures returns 422 with each failure', async () => {
    const server = await startRegistry();
    const file = await registerFolder(server, 'bad');
    writeFileSync(file, '---\ntype: rule\nversion: 1.0.0\ndescription: x\nrule_mode: glob\n---\n');
    const { status, body } = await reingest(server, 'bad');
    expect(status).toBe(422);
    expect(body).toMatchObject({
      code: 'ingest.lint_failed',
      details: { lint_failures: [expect.objectContaining({ artifact_id: 'ops/greet' })] },
    });
  });

  test('an unreadable source returns its own error code', async () => {
    const server = await startRegistry();
    const local_path = `${server.folder}/missing`;
    await server.call(registerLayer, { body: { id: 'lost', source_type: 'local', local_path } });
    const { status, body } = await reingest(server, 'lost');
    expect([status, body]).toMatchObject([502, { code: 'ingest.source_unreachable' }]);
    expect(JSON.stringify(body)).not.toContain(server.folder);
  });

  test('with wait=false it returns the job, which can be read until it ends', async () => {
    const server = await startRegistry();
    await registerFolder(server);
    const queued = await server.request(reingestLayer, { query: { id: 'base', wait: false } });
    expect([queued.status, queued.body]).toEqual([202, { job: expect.any(String), layer: 'base' }]);
    const { job } = acceptedIngest.parse(queued.body);
    await vi.waitFor(async () => {
      const ended = await server.call(getIngest, { params: { job } });
      expect(ended).toMatchObject({ job, layer: 'base', state: 'done' });
      expect(ended.report).toMatchObject({ job, layer: 'base' });
    }, 10_000);
    // A late file event may have queued another ingest.
    const ended = expect.objectContaining({ job, state: 'done' });
    expect((await server.call(listIngests, { query: { id: 'base' } })).ingests).toContainEqual(
      ended,
    );
    expect((await server.call(listIngests)).ingests).toContainEqual(ended);
  });

  test.each([
    { break_glass: true },
    { break_glass: true, justification: '' },
    { break_glass: true, justification: '  ' },
  ])('%j: rejects an override without a justification', async (body) => {
    const server = await startRegistry();
    await seedLayer(server, { id: 'base' });
    expect(await reingest(server, 'base', body)).toMatchObject({
      status: 400,
      body: { code: 'registry.invalid_argument', details: { argument: 'justification' } },
    });
    expect((await server.call(listIngests)).ingests).toEqual([]);
  });

  test('accepts an override with a justification', async () => {
    const server = await startRegistry();
    await registerFolder(server);
    const override = { break_glass: true, justification: 'urgent', approvers: ['ann', 'bob'] };
    expect((await reingest(server, 'base', override)).status).toBe(200);
  });

  test('unknown layers and ingests return 404', async () => {
    const server = await startRegistry();
    for (const answer of [
      await reingest(server, 'unknown'),
      await server.request(listIngests, { query: { id: 'unknown' } }),
      await server.request(getIngest, { params: { job: 'unknown' } }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'registry.not_found' } });
    }
  });
});
