import {
  createWebhook,
  getWebhook,
  listWebhookDeliveries,
  testWebhook,
  updateWebhook,
} from '@catalog/contract/endpoints/webhooks';
import { updateLayer } from '@catalog/contract/endpoints/layers';
import { startDeliveryReceiver, type DeliveryReceiver } from '@catalog/testkit/delivery-receiver';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { IS_STANDARD, openTestBackend } from '@catalog/testkit/test-backend';
import { describe, expect, onTestFinished, test } from 'vitest';

const EVENTS = 40;

interface Place {
  receiver: DeliveryReceiver;
  servers: RegistryServer[];
  server: RegistryServer;
  id: string;
}

async function open(body: { ordered?: boolean } = { ordered: true }): Promise<Place> {
  const receiver = await startDeliveryReceiver();
  const backend = await openTestBackend(temporaryFolder());
  onTestFinished(() => backend.close());
  const start = (): Promise<RegistryServer> =>
    startRegistry({ settings: receiver.settings, backend });
  const server = await start();
  const servers = IS_STANDARD ? [server, await start()] : [server];
  await seedLayer(server, { id: 'x' });
  const { id } = await server.call(createWebhook, { body: { url: receiver.url, ...body } });
  return { receiver, servers, server, id };
}

async function publish({ servers }: Place, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const server = servers[at % servers.length];
    await server?.call(updateLayer, { query: { id: 'x' }, body: { owner: `owner-${at}` } });
  }
}

function cursorsOf({ receiver }: Place, accepted: ReadonlySet<object>): number[] {
  return receiver.taken
    .filter((one) => accepted.has(one))
    .map(({ body }) => Number(body['cursor']));
}

describe('receiver with ordered deliveries', () => {
  test('gets every event in order despite failed attempts', { timeout: 60_000 }, async () => {
    const place = await open();
    const accepted = new Set<object>();
    place.receiver.respondWith((delivery) => {
      if (place.receiver.taken.length % 3 === 0) return 500;
      accepted.add(delivery);
      return 204;
    });
    await publish(place, EVENTS);
    await expect.poll(() => accepted.size, { timeout: 50_000 }).toBe(EVENTS);
    const cursors = cursorsOf(place, accepted);
    expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
    expect(new Set(cursors).size).toBe(EVENTS);
  });

  test('gets only tests while a delivery is in flight', async () => {
    const place = await open();
    const { receiver, server, id } = place;
    receiver.respondWith(({ body }) => (body.event === 'webhook.test' ? 204 : 'hang'));
    await publish(place, 5);
    await receiver.waitFor(1);
    await server.call(testWebhook, { params: { id } });
    await receiver.waitFor(2);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(receiver.taken.map(({ body }) => body.event)).toEqual([
      'layer.config_changed',
      'webhook.test',
    ]);
  });

  test('gets events and their retries while a test is in flight', async () => {
    const place = await open();
    const { receiver, server, id } = place;
    receiver.respondWith(({ body }) => {
      if (body.event === 'webhook.test') return 'hang';
      return receiver.taken.length === 2 ? 500 : 204;
    });
    await server.call(testWebhook, { params: { id } });
    await receiver.waitFor(1);
    await publish(place, 2);
    await expect.poll(() => receiver.taken.length).toBe(4);
    const [, first, again, second] = receiver.taken;
    expect(again?.id).toBe(first?.id);
    expect(second?.id).not.toBe(first?.id);
  });

  test('continues after a delivery that has failed permanently', { timeout: 60_000 }, async () => {
    const place = await open();
    const { receiver, server, id } = place;
    let first: string | undefined;
    receiver.respondWith((delivery) => {
      first ??= delivery.id;
      return delivery.id === first ? 500 : 204;
    });
    await publish(place, 3);
    // Deliveries that were planned together have the same time, so the list may contain them in any order.
    const states = async (): Promise<string[]> => {
      const { deliveries } = await server.call(listWebhookDeliveries, { params: { id } });
      return deliveries.map((one) => (one.id === first ? `first ${one.state}` : one.state)).sort();
    };
    const done = ['delivered', 'delivered', 'first failed'];
    await expect.poll(states, { timeout: 50_000 }).toEqual(done);
    const ids = receiver.taken.map((one) => one.id);
    expect(ids.lastIndexOf(first ?? '')).toBe(ids.length - 3);
  });

  test('is shown as ordered and can be changed', async () => {
    const { server, id } = await open({});
    const params = { id };
    const update = (ordered: boolean) => server.call(updateWebhook, { params, body: { ordered } });
    expect(await server.call(getWebhook, { params })).not.toHaveProperty('ordered');
    expect(await update(true)).toMatchObject({ ordered: true });
    expect(await server.call(getWebhook, { params })).toMatchObject({ ordered: true });
    expect(await update(false)).not.toHaveProperty('ordered');
  });
});
