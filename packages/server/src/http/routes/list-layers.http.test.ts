import { listLayers, unregisterLayer } from '@catalog/contract/endpoints/layers';
import { seedLayer, seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../../../../tests/requirements/verifies.ts';

describe('GET /v1/layers', () => {
  verifies(
    ['LAYER-07', 'LAYER-08', 'LAYER-29', 'LREAD-06'],
    'answers every layer, lowest precedence first, to anybody where nobody is told apart',
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
    'keeps live layers and those that can be restored apart',
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

  test('no longer lists what is past the recovery window', async () => {
    const server = await startRegistry({ settings: { layer_recovery_days: 30 } });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await seedLayer(server, { id: 'recent', deleted_at: daysAgo(29) });
    await seedLayer(server, { id: 'old', deleted_at: daysAgo(31) });
    const { layers } = await server.call(listLayers, { query: { deleted: true } });
    expect(layers.map(({ id }) => id)).toEqual(['recent']);
  });
});
