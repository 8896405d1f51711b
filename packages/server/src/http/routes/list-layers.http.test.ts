import { listLayers, unregisterLayer } from '@catalog/contract/endpoints/layers';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { seedLayer, seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

describe('GET /v1/layers', () => {
  verifies(
    ['LAYER-07', 'LAYER-08', 'LAYER-29', 'LREAD-06'],
    'returns every layer, lowest precedence first, to any caller without authentication',
    async () => {
      for (const public_mode of [false, true]) {
        const server = await startRegistry({ settings: { public_mode } });
        expect((await server.request(listLayers)).body).toEqual({ layers: [] });
        await seedPersonalLayer(server, { id: 'anns', order: 5 });
        await seedLayer(server, { id: 'top', order: 40 });
        await seedLayer(server, { id: 'hidden', order: 20, organization: false });
        const { layers } = await server.call(listLayers);
        expect(layers.map(({ id, order, user_defined }) => [id, order, user_defined])).toEqual([
          ['hidden', 20, false],
          ['top', 40, false],
          ['anns', 5, true],
        ]);
        expect(layers.at(-1)).toMatchObject({ owner: 'ann', users: ['ann'], groups: null });
      }
    },
  );

  verifies(
    ['LAYER-19', 'LAYER-32', 'LAYER-33'],
    'lists live layers and restorable layers separately',
    async () => {
      const server = await startRegistry();
      await seedLayer(server, { id: 'live' });
      await seedLayer(server, { id: 'gone', order: 20 });
      await server.call(unregisterLayer, { query: { id: 'gone' } });
      const live = await server.call(listLayers);
      expect(live.layers.map(({ id, deleted_at }) => [id, deleted_at])).toEqual([['live', null]]);
      const deleted = await server.call(listLayers, { query: { deleted: true } });
      expect(deleted.layers.map(({ id }) => id)).toEqual(['gone']);
      expect(Date.parse(deleted.layers[0]?.deleted_at ?? '')).toBeGreaterThan(0);
    },
  );

  test('adds details for the caller with details=true', async () => {
    const server = await startRegistry({
      settings: { ...TRUSTED_HEADERS, bootstrap_admins: ['root'] },
    });
    const root = server.as(asCaller({ subject: 'root' }));
    await root.ingest(
      {
        'ops/check/ARTIFACT.md': '---\ntype: rule\nversion: 1.0.0\ndescription: Check.\n---\nDo.\n',
      },
      { id: 'base', organization: true },
    );
    const groups = ['platform', 'data'];
    const hidden = { organization: false, order: 20 };
    await seedLayer(server, { id: 'team', groups, webhook_key: 'k 1', ...hidden });
    await seedPersonalLayer(server, { id: 'anns', webhook_key: 'k2' });
    const list = async (subject: string, member: string[] = []) => {
      const face = server.as(asCaller({ subject, groups: member }));
      const { layers } = await face.call(listLayers, { query: { details: 'true' } });
      return layers.map(({ id, artifact_count, matched_groups, webhook_url }) => ({
        id,
        artifact_count,
        matched_groups,
        webhook: webhook_url?.slice(webhook_url.indexOf('/v1/')),
      }));
    };
    const none = { matched_groups: [], webhook: undefined };
    const base = { id: 'base', artifact_count: 1, ...none };
    expect(await list('mia', ['data', 'other'])).toEqual([
      base,
      { id: 'team', artifact_count: 0, matched_groups: ['data'], webhook: undefined },
    ]);
    const anns = '/v1/ingest/webhook/anns?key=k2';
    expect(await list('ann')).toEqual([
      base,
      { id: 'anns', artifact_count: 0, matched_groups: [], webhook: anns },
    ]);
    const team = '/v1/ingest/webhook/team?key=k%201';
    expect(await list('root')).toContainEqual({
      id: 'team',
      artifact_count: undefined,
      matched_groups: [],
      webhook: team,
    });
    const plain = await root.call(listLayers);
    expect(Object.keys(plain.layers[0] ?? {})).not.toContain('artifact_count');
  });

  test('hides the webhook URL on an open registry that denies changes', async () => {
    const server = await startRegistry({ settings: { open_writes: 'deny' } });
    await seedLayer(server, { id: 'team', webhook_key: 'k1' });
    const { layers } = await server.call(listLayers, { query: { details: 'true' } });
    expect(layers).toHaveLength(1);
    expect(layers[0]).not.toHaveProperty('webhook_url');
  });

  test('omits layers past the recovery window', async () => {
    const server = await startRegistry({ settings: { layer_recovery_days: 30 } });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await seedLayer(server, { id: 'recent', deleted_at: daysAgo(29) });
    await seedLayer(server, { id: 'old', deleted_at: daysAgo(31) });
    const { layers } = await server.call(listLayers, { query: { deleted: true } });
    expect(layers.map(({ id }) => id)).toEqual(['recent']);
  });
});
