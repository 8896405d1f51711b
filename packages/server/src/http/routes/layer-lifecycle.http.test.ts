import {
  catalog,
  searchArtifacts,
  syncManifestEndpoint,
} from '@catalog/contract/endpoints/discovery';
import {
  listIngests,
  listLayers,
  registerLayer,
  reingestLayer,
  restoreLayer,
  unregisterLayer,
} from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { followEvents } from '@catalog/testkit/follow-events';
import { readAudit, seedLayer, seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const RULE = '---\ntype: rule\nversion: 1.0.0\ndescription: How to greet a visitor.\n---\nWave.\n';
const DAY = 86_400_000;

async function readEverywhere(server: RegistryServer, id: string) {
  const found = await server.call(searchArtifacts, { query: { query: 'greet visitor' } });
  const listed = await server.call(catalog);
  const manifest = await server.call(syncManifestEndpoint);
  const loaded = await server.request(loadArtifact, { query: { id } });
  return {
    search: found.results.some((result) => result.id === id),
    catalog: listed.ids.includes(id),
    manifest: manifest.artifacts.some((entry) => entry.id === id),
    load: loaded.status,
  };
}

const SERVED = { search: true, catalog: true, manifest: true, load: 200 };
const GONE = { search: false, catalog: false, manifest: false, load: 404 };

describe('layer lifecycle', () => {
  verifies(
    ['LSTATE-01', 'LSTATE-02', 'LSTATE-03', 'LSTATE-04'],
    'unregistering removes a layer with its artifacts, and restoring returns them',
    async () => {
      const server = await startRegistry({ layers: { base: { 'ops/greet/ARTIFACT.md': RULE } } });
      expect(await readEverywhere(server, 'ops/greet')).toEqual(SERVED);
      const { unregistered, layer } = await server.call(unregisterLayer, { query: { id: 'base' } });
      expect([unregistered, layer.id]).toEqual(['base', 'base']);
      expect(Date.now() - Date.parse(layer.deleted_at ?? '')).toBeLessThan(60_000);
      expect(await readEverywhere(server, 'ops/greet')).toEqual(GONE);
      const restored = await server.call(restoreLayer, { query: { id: 'base' } });
      expect(restored).toMatchObject({ restored: 'base', layer: { id: 'base', deleted_at: null } });
      expect(await readEverywhere(server, 'ops/greet')).toEqual(SERVED);
      expect((await server.call(listLayers)).layers).toMatchObject([
        { id: 'base', deleted_at: null },
      ]);
    },
  );

  verifies(['EVENT-11'], 'each step is emitted as an event and audited', async () => {
    const server = await startRegistry();
    await seedLayer(server, { id: 'base' });
    await seedPersonalLayer(server, { id: 'anns' });
    const events = await followEvents(server);
    for (const id of ['base', 'anns']) {
      await server.call(unregisterLayer, { query: { id } });
      await server.call(restoreLayer, { query: { id } });
    }
    const received = [];
    while (received.length < 4) {
      const { event, data } = await events.next('layer.config_changed', 'layer.user_registered');
      received.push([event, data['layer'], data['action']]);
    }
    const expected = [
      ['layer.config_changed', 'base', 'unregister'],
      ['layer.config_changed', 'base', 'restore'],
      ['layer.user_registered', 'anns', 'unregister'],
      ['layer.user_registered', 'anns', 'restore'],
    ];
    expect(received).toEqual(expected);
    expect(
      (await readAudit(server)).map(({ type, ...record }) => [
        type,
        record['layer'],
        record['action'],
      ]),
    ).toEqual(expected);
  });

  test('restoring a layer queues an ingest', async () => {
    const server = await startRegistry();
    await seedLayer(server, { id: 'base', deleted_at: new Date().toISOString() });
    await server.call(restoreLayer, { query: { id: 'base' } });
    const { ingests } = await server.call(listIngests, { query: { id: 'base' } });
    expect(ingests.map(({ trigger }) => trigger)).toEqual(['restore']);
  });

  test('a layer past the recovery window, or never deleted, cannot be restored', async () => {
    const server = await startRegistry({ settings: { layer_recovery_days: 30 } });
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();
    await seedLayer(server, { id: 'live' });
    await seedLayer(server, { id: 'recent', deleted_at: daysAgo(29) });
    await seedLayer(server, { id: 'old', deleted_at: daysAgo(31) });
    for (const [id, status] of [
      ['recent', 200],
      ['old', 404],
      ['live', 404],
      ['unknown', 404],
    ] as const) {
      expect((await server.request(restoreLayer, { query: { id } })).status).toBe(status);
    }
    const { layers } = await server.call(listLayers);
    expect(layers.map(({ id }) => id)).toEqual(['live', 'recent']);
  });

  test.each(['unknown', 'gone'])('unregistering the layer "%s" returns 404', async (id) => {
    const server = await startRegistry({ settings: { 'store.retention_interval_seconds': 0 } });
    await seedLayer(server, { id: 'gone', deleted_at: '2026-01-01T00:00:00.000Z' });
    expect(await server.request(unregisterLayer, { query: { id } })).toMatchObject({
      status: 404,
      body: { code: 'registry.not_found', details: { id } },
    });
    expect(await readAudit(server)).toEqual([]);
  });

  test('registering a deleted id again makes the layer live and empty until its ingest', async () => {
    const server = await startRegistry({ layers: { base: { 'ops/greet/ARTIFACT.md': RULE } } });
    await server.call(unregisterLayer, { query: { id: 'base' } });
    const empty = { id: 'base', source_type: 'local', local_path: `${server.folder}/nothing` };
    const pinned = { query: { id: 'ops/greet', version: '1.0.0' } };
    expect(await server.request(loadArtifact, pinned)).toMatchObject({ status: 404 });
    const { layer, restored_versions } = await server.call(registerLayer, { body: empty });
    expect(layer).toMatchObject({ deleted_at: null, order: 10 });
    // Pins load versions that the layer published earlier (SPEC-20).
    expect(restored_versions).toBe(1);
    expect(await server.request(loadArtifact, pinned)).toMatchObject({ status: 200 });
    expect(await readEverywhere(server, 'ops/greet')).toEqual(GONE);
    expect((await server.call(listLayers, { query: { deleted: true } })).layers).toEqual([]);
    // Equal content is the same version; different content under that version is rejected (SPEC-7).
    const again = await server.call(registerLayer, {
      body: { ...empty, local_path: `${server.folder}/layers/base` },
    });
    expect(again).not.toHaveProperty('restored_versions');
    const report = await server.call(reingestLayer, { query: { id: 'base' } });
    expect(report).toMatchObject({ accepted: 0, idempotent: 1 });
    expect(await readEverywhere(server, 'ops/greet')).toEqual(SERVED);
  });
});
