import { listLayers, reorderLayers } from '@catalog/contract/endpoints/layers';
import { followEvents } from '@catalog/testkit/follow-events';
import { readAudit, seedLayer, seedPersonalLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

async function startWithThree(): Promise<RegistryServer> {
  const server = await startRegistry();
  for (const [index, id] of ['a', 'b', 'c'].entries()) {
    await seedLayer(server, { id, order: (index + 1) * 10 });
  }
  return server;
}

async function reorder(server: RegistryServer, ...order: string[]) {
  return server.request(reorderLayers, { body: { order } });
}

async function sequence(server: RegistryServer) {
  return (await server.call(listLayers)).layers.map(({ id, order }) => [id, order]);
}

describe('POST /v1/layers/reorder', () => {
  verifies(['LAYER-37', 'EVENT-12'], 'applies the requested order and emits an event', async () => {
    const server = await startWithThree();
    const events = await followEvents(server);
    const { status, body } = await reorder(server, 'c', 'a', 'b');
    expect(status).toBe(200);
    expect(body).toEqual(await server.call(listLayers));
    expect(await sequence(server)).toEqual([
      ['c', 10],
      ['a', 20],
      ['b', 30],
    ]);
    expect(await events.next()).toMatchObject({
      event: 'layer.config_changed',
      data: { layer: 'c,a,b', action: 'reorder' },
    });
    expect(await readAudit(server)).toMatchObject([
      { type: 'layer.config_changed', action: 'reorder', layer: 'c,a,b' },
    ]);
  });

  test('layers that are not listed keep their positions', async () => {
    const server = await startWithThree();
    await reorder(server, 'c', 'a');
    expect(await sequence(server)).toEqual([
      ['c', 10],
      ['b', 20],
      ['a', 30],
    ]);
    expect(await readAudit(server)).toMatchObject([{ layer: 'c,a' }]);
  });

  verifies(['LUPD-32'], 'the current order changes nothing and emits no event', async () => {
    const server = await startWithThree();
    const events = await followEvents(server);
    for (const order of [['a', 'b', 'c'], ['a', 'c'], ['b'], []]) {
      expect((await reorder(server, ...order)).status).toBe(200);
    }
    expect(await readAudit(server)).toEqual([]);
    await reorder(server, 'b', 'a');
    expect(await events.next()).toMatchObject({ cursor: '1', data: { layer: 'b,a' } });
  });

  test('a personal layer emits its own event type', async () => {
    const server = await startWithThree();
    await seedPersonalLayer(server, { id: 'p', order: 40 });
    await seedPersonalLayer(server, { id: 'q', order: 50 });
    const events = await followEvents(server);
    await reorder(server, 'q', 'p');
    const received = [await events.next(), await events.next()];
    expect(received.map(({ event, data }) => [event, data['layer']])).toEqual([
      ['layer.user_registered', 'q'],
      ['layer.user_registered', 'p'],
    ]);
  });

  test.each([
    [['a', 'unknown'], ['unknown']],
    [['a', 'b', 'a'], ['a']],
  ])('rejects %j and changes nothing', async (order, fields) => {
    const server = await startWithThree();
    expect(await reorder(server, ...order)).toMatchObject({
      status: 400,
      body: { code: 'registry.invalid_argument', details: { argument: 'order', fields } },
    });
    expect(await sequence(server)).toEqual([
      ['a', 10],
      ['b', 20],
      ['c', 30],
    ]);
    expect(await readAudit(server)).toEqual([]);
  });
});
