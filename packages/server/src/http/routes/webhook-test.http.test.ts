import { updateLayer } from '@catalog/contract/endpoints/layers';
import {
  createWebhook,
  getWebhook,
  getWebhookDelivery,
  testWebhook,
} from '@catalog/contract/endpoints/webhooks';
import {
  startDeliveryReceiver,
  type DeliveryReceiver,
  type ReceiverResponse,
} from '@catalog/testkit/delivery-receiver';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';

interface Place {
  server: RegistryServer;
  receiver: DeliveryReceiver;
  id: string;
}

async function openWithBacklog(to_events: ReceiverResponse): Promise<Place> {
  const receiver = await startDeliveryReceiver();
  receiver.respondWith(({ body }) => (body.event === 'webhook.test' ? 204 : to_events));
  const settings = { ...receiver.settings, 'webhooks.retry_schedule': [3600] };
  const server = await startRegistry({ settings });
  await seedLayer(server, { id: 'x' });
  const { id } = await server.call(createWebhook, { body: { url: receiver.url } });
  for (let at = 0; at < 20; at += 1) {
    await server.call(updateLayer, { query: { id: 'x' }, body: { owner: `owner-${at}` } });
  }
  await receiver.waitFor(1);
  return { server, receiver, id };
}

async function waitForTest({ server, id }: Place, delivery: string): Promise<unknown> {
  const params = { id, delivery };
  const read = () => server.call(getWebhookDelivery, { params });
  await expect.poll(async () => (await read()).attempts).toBe(1);
  return read();
}

describe('test delivery for a receiver with a backlog', () => {
  test.each<[string, ReceiverResponse]>([
    ['hang', 'hang'],
    ['fail', 500],
    ['are to be sent later', { status: 503, headers: { 'retry-after': '3600' } }],
  ])('is sent at once while deliveries %s, and reports its own result', async (_, answer) => {
    const place = await openWithBacklog(answer);
    const queued = await place.server.call(testWebhook, { params: { id: place.id } });
    expect(queued).toMatchObject({ event: 'webhook.test', state: 'pending', attempts: 0 });
    expect(await waitForTest(place, queued.id)).toMatchObject({ state: 'delivered', status: 204 });
    expect(place.receiver.taken.filter(({ id }) => id === queued.id)).toHaveLength(1);
  });
});

test('a failed test delivery is not retried', async () => {
  const receiver = await startDeliveryReceiver();
  receiver.respondWith(500);
  const server = await startRegistry({ settings: receiver.settings });
  const { id } = await server.call(createWebhook, { body: { url: receiver.url } });
  const queued = await server.call(testWebhook, { params: { id } });
  const failed = await waitForTest({ server, receiver, id }, queued.id);
  expect(failed).toMatchObject({ state: 'failed', attempts: 1, status: 500 });
  expect(await server.call(getWebhook, { params: { id } })).toMatchObject({ failure_count: 1 });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(receiver.taken).toHaveLength(1);
});

test('a test delivery with status 410 disables the receiver', async () => {
  const receiver = await startDeliveryReceiver();
  receiver.respondWith(410);
  const server = await startRegistry({ settings: receiver.settings });
  const { id } = await server.call(createWebhook, { body: { url: receiver.url } });
  await server.call(testWebhook, { params: { id } });
  await expect
    .poll(() => server.call(getWebhook, { params: { id } }))
    .toMatchObject({ disabled: true, disabled_by: 'gone' });
});
