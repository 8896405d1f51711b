import { createHmac } from 'node:crypto';
import {
  createWebhook,
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  recoverWebhook,
  redeliverWebhook,
  testWebhook,
  updateWebhook,
} from '@catalog/contract/endpoints/webhooks';
import { reorderLayers, unregisterLayer, updateLayer } from '@catalog/contract/endpoints/layers';
import { webhookBatch, type CreateWebhookBody } from '@catalog/contract/records/webhook';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { followEvents } from '@catalog/testkit/follow-events';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { startDeliveryReceiver, type DeliveryReceiver } from '@catalog/testkit/delivery-receiver';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import type { Settings } from '../../config/settings.ts';
import { verifies } from '@catalog/testkit/verifies';

interface Place {
  server: RegistryServer;
  receiver: DeliveryReceiver;
  id: string;
  secret: string;
  params: { id: string };
}

async function open(
  body: Partial<CreateWebhookBody> = {},
  settings: Partial<Settings> = {},
): Promise<Place> {
  const receiver = await startDeliveryReceiver();
  const server = await startRegistry({ settings: { ...receiver.settings, ...settings } });
  await seedLayer(server, { id: 'x' });
  const { id, secret } = await server.call(createWebhook, { body: { url: receiver.url, ...body } });
  return { server, receiver, id, secret, params: { id } };
}

async function publish({ server }: Place, owner: string): Promise<void> {
  await server.call(updateLayer, { query: { id: 'x' }, body: { owner } });
}

function rule(version: string, more = ''): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet.\n${more}---\nWave.\n`;
}

describe('webhook delivery', () => {
  verifies(
    ['EVENT-19', 'EVENT-24', 'EVENT-34', 'HOOKOUT-06', 'HOOKOUT-07'],
    'carries one event as in the stream, signed with the secret',
    async () => {
      const place = await open({ event_filter: ['layer.config_changed'] });
      const { server, receiver, secret, params } = place;
      const follower = await followEvents(server);
      await publish(place, 'ann');
      const [delivery] = await receiver.waitFor(1);
      expect(JSON.parse(delivery?.text ?? '')).toEqual(
        JSON.parse((await follower.nextLine()) ?? ''),
      );
      const headers = delivery?.headers ?? {};
      const hmac = createHmac('sha256', secret)
        .update(delivery?.text ?? '')
        .digest('hex');
      expect(headers['x-catalog-signature']).toBe(`sha256=${hmac}`);
      expect(headers['content-type']).toBe('application/json');
      const verified = new Webhook(secret).verify(delivery?.text ?? '', {
        'webhook-id': String(headers['webhook-id']),
        'webhook-timestamp': String(headers['webhook-timestamp']),
        'webhook-signature': String(headers['webhook-signature']),
      });
      expect(verified).toMatchObject({ event: 'layer.config_changed' });
      await expect
        .poll(() => server.call(getWebhook, { params }))
        .toMatchObject({ failure_count: 0, last_delivery: expect.stringMatching(/^2/) });
    },
  );

  verifies(
    ['EVENT-10', 'HOOKOUT-04', 'EVENT-23'],
    'contains the events that match the filter, or all events',
    async () => {
      const place = await open({ event_filter: ['layer.ingested'] });
      const all = await startDeliveryReceiver();
      await place.server.call(createWebhook, { body: { url: all.url } });
      await place.server.ingest(
        { 'greet/ARTIFACT.md': rule('1.0.0'), 'DOMAIN.md': '---\ndescription: All.\n---\n' },
        { id: 'base' },
      );
      await place.receiver.waitFor(1);
      await all.waitFor(4);
      expect(all.taken.map(({ body }) => body.event).toSorted()).toEqual([
        'artifact.published',
        'domain.published',
        'layer.config_changed',
        'layer.ingested',
      ]);
      expect(place.receiver.taken.map(({ body }) => body.event)).toEqual(['layer.ingested']);
    },
  );

  verifies(
    ['EVENT-20', 'HOOKOUT-06', 'HOOKOUT-08'],
    'is retried after a failure with the same id and body and a new time',
    async () => {
      const place = await open({}, { 'webhooks.retry_schedule': [1, 1, 1] });
      const { receiver, server, params } = place;
      let refused = 0;
      receiver.respondWith(() => (refused++ < 2 ? 503 : 200));
      await publish(place, 'ann');
      await receiver.waitFor(1);
      await expect
        .poll(() => server.call(getWebhook, { params }))
        .toMatchObject({ failure_count: 1, last_failure: expect.stringMatching(/^2/) });
      const taken = await receiver.waitFor(3);
      expect(new Set(taken.map(({ id }) => id)).size).toBe(1);
      expect(new Set(taken.map(({ text }) => text)).size).toBe(1);
      expect(new Set(taken.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
      await expect
        .poll(() => server.call(getWebhook, { params }))
        .toMatchObject({
          failure_count: 0,
        });
      const { deliveries } = await server.call(listWebhookDeliveries, { params });
      expect(deliveries).toMatchObject([{ state: 'delivered', attempts: 3, status: 200 }]);
    },
  );

  verifies(
    ['EVENT-22'],
    'is kept as failed after the last attempt and does not block ingests',
    async () => {
      const place = await open({ event_filter: ['layer.ingested'] });
      const { receiver, server, params } = place;
      receiver.respondWith({ status: 500, body: 'out of order' });
      const report = await server.ingest({ 'greet/ARTIFACT.md': rule('1.0.0') }, { id: 'base' });
      expect(report.accepted).toBe(1);
      const failed = () =>
        server.call(listWebhookDeliveries, { params, query: { state: 'failed' } });
      await expect.poll(failed, { timeout: 10_000 }).toMatchObject({
        deliveries: [
          {
            event: 'layer.ingested',
            state: 'failed',
            attempts: 5,
            status: 500,
            response: 'out of order',
            error: 'status 500',
          },
        ],
      });
      expect(receiver.taken).toHaveLength(5);
    },
  );

  verifies('EVENT-21', 'waits while the concurrency limit is reached', async () => {
    const place = await open({}, { 'webhooks.concurrency': 3, 'webhooks.receiver_concurrency': 2 });
    const { receiver, server } = place;
    const second = await startDeliveryReceiver();
    await server.call(createWebhook, { body: { url: second.url } });
    // A new receiver gets one request at a time until it accepts one.
    for (const slow of [receiver, second]) {
      slow.respondWith(() => (slow.taken.length <= 4 ? 204 : 'hang'));
    }
    const events = Array.from({ length: 12 }, (_, index) => ({
      event: 'artifact.removed',
      trace_id: '0'.repeat(32),
      timestamp: new Date().toISOString(),
      actor: {},
      data: { id: `ops/a${index}`, layer: 'base' },
    }));
    await server.registry.store.transaction(({ outbox }) => outbox.append(ONLY_TENANT, events));
    const counts = () => {
      const taken = [receiver.taken.length, second.taken.length];
      return [Math.min(...taken), Math.max(...taken)];
    };
    await expect.poll(counts, { timeout: 10_000 }).toEqual([5, 6]);
    await publish(place, 'last');
    await expect
      .poll(() => server.registry.store.dispatches.depth())
      .toMatchObject({
        pending: expect.any(Number),
      });
    expect(counts()).toEqual([5, 6]);
  });

  verifies('HOOKOUT-33', 'does not follow redirects', async () => {
    const place = await open();
    const { receiver, server, params } = place;
    const target = await startDeliveryReceiver();
    receiver.respondWith({ status: 307, headers: { location: target.url } });
    await publish(place, 'ann');
    const failed = () => server.call(listWebhookDeliveries, { params, query: { state: 'failed' } });
    await expect.poll(failed, { timeout: 10_000 }).toMatchObject({
      deliveries: [{ status: 307, error: 'status 307: redirects are not followed' }],
    });
    expect(target.taken).toEqual([]);
  });

  test('with status 410 disables the receiver at once and keeps its cursor', async () => {
    const place = await open();
    const { receiver, server, params } = place;
    receiver.respondWith(410);
    await publish(place, 'ann');
    await expect
      .poll(() => server.call(getWebhook, { params }))
      .toMatchObject({ disabled: true, disabled_by: 'gone' });
    const audit = await server.registry.store.audit.list(ONLY_TENANT, 0, 100);
    await expect
      .poll(async () => {
        const records = await server.registry.store.audit.list(ONLY_TENANT, 0, 100);
        return records.at(-1)?.record;
      })
      .toMatchObject({ action: 'disable', 'caller.identity': 'system:webhooks' });
    expect(audit.length).toBeGreaterThan(0);
    await publish(place, 'bob');
    receiver.respondWith(204);
    await server.call(updateWebhook, { params, body: { disabled: false } });
    const taken = await receiver.waitFor(2);
    expect(taken.at(-1)?.body.data).toMatchObject({ layer: 'x', action: 'update' });
  });

  test('waits for the duration of Retry-After', async () => {
    const place = await open();
    const { receiver } = place;
    let isDelayed = false;
    receiver.respondWith(() => {
      if (isDelayed) return 204;
      isDelayed = true;
      return { status: 429, headers: { 'retry-after': '2' } };
    });
    await publish(place, 'ann');
    const [first, second] = await receiver.waitFor(2);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(1900);
  });
});

test('the former secret signs for a day after a rotation', async () => {
  const place = await open();
  const { server, receiver, params } = place;
  await server.call(updateWebhook, { params, body: { secret: 'a new secret of the receiver' } });
  const signaturesOf = async (count: number): Promise<string[]> => {
    await publish(place, `owner ${count}`);
    const last = (await receiver.waitFor(count)).at(-1);
    return String(last?.headers['webhook-signature']).split(' ');
  };
  expect(await signaturesOf(1)).toHaveLength(2);
  const real = server.registry.now.bind(server.registry);
  const later = (hours: number) => (): Date => new Date(real().getTime() + hours * 3_600_000);
  const now = vi.spyOn(server.registry, 'now').mockImplementation(later(23));
  expect(await signaturesOf(2)).toHaveLength(2);
  now.mockImplementation(later(25));
  expect(await signaturesOf(3)).toHaveLength(1);
});

describe('receiver disabled by an administrator', () => {
  verifies(
    ['HOOKOUT-05', 'HOOKOUT-13', 'HOOKOUT-14'],
    'resumes with new events only and without old failures',
    async () => {
      const place = await open({}, { 'webhooks.retry_schedule': [] });
      const { receiver, server, params } = place;
      receiver.respondWith(500);
      await publish(place, 'before');
      await expect
        .poll(() => server.call(getWebhook, { params }))
        .toMatchObject({ failure_count: 1 });
      receiver.respondWith(204);
      const off = await server.call(updateWebhook, { params, body: { disabled: true } });
      expect(off).toMatchObject({ disabled: true, disabled_by: 'admin', failure_count: 1 });
      await publish(place, 'meanwhile');
      expect(await server.request(testWebhook, { params })).toMatchObject({ status: 400 });
      const on = await server.call(updateWebhook, { params, body: { disabled: false } });
      expect(on).toMatchObject({ disabled: false, failure_count: 0 });
      await publish(place, 'after');
      const taken = await receiver.waitFor(2);
      const cursors = taken.map(({ body }) => Number(body.cursor));
      expect(cursors).toEqual([1, 3]);
    },
  );
});

describe('receiver with repeated failures', () => {
  test('gets one attempt at a time after a pause, and no delivery runs out of attempts', async () => {
    const place = await open({}, { 'webhooks.retry_schedule': [1, 1, 1] });
    const { receiver, server, params } = place;
    receiver.respondWith('reset');
    for (let at = 0; at < 20; at += 1) await publish(place, `owner ${at}`);
    await expect
      .poll(async () => (await server.call(getWebhook, { params })).failure_count, {
        timeout: 10_000,
      })
      .toBeGreaterThanOrEqual(7);
    const stored = await server.registry.store.receivers.get(ONLY_TENANT, params.id);
    expect(stored?.paused_until).not.toBeNull();
    const times = receiver.taken.map(({ at }) => at);
    for (const at of [5, 6]) {
      expect((times[at] ?? 0) - (times[at - 1] ?? 0), `attempt ${at + 1}`).toBeGreaterThan(900);
    }
    receiver.respondWith(204);
    await expect
      .poll(
        async () => {
          const query = { state: 'delivered', limit: '50' };
          const { deliveries } = await server.call(listWebhookDeliveries, { params, query });
          return deliveries.length;
        },
        { timeout: 15_000 },
      )
      .toBe(20);
  });
});

describe('debounce', () => {
  verifies(
    ['EVENT-25', 'EVENT-26', 'EVENT-27', 'EVENT-28', 'EVENT-29', 'EVENT-30', 'EVENT-31'],
    'collects the events of a window into one batch, with the last event of each name and subject',
    async () => {
      const place = await open({ debounce: '2s' });
      const { server, receiver } = place;
      const domain = (text: string) => `---\ndescription: ${text}\n---\n`;
      await server.ingest(
        { 'greet/ARTIFACT.md': rule('1.0.0'), 'ops/DOMAIN.md': domain('First.') },
        { id: 'base' },
      );
      await server.ingest(
        {
          'greet/ARTIFACT.md': rule('1.1.0', 'deprecated: true\n'),
          'ops/DOMAIN.md': domain('Second.'),
        },
        { id: 'base' },
      );
      const [delivery] = await receiver.waitFor(1);
      const batch = webhookBatch.parse(JSON.parse(delivery?.text ?? ''));
      expect(batch.count).toBe(batch.events.length);
      expect(batch.trace_id).toMatch(/^[\da-f]{32}$/);
      const length = Date.parse(batch.window.end) - Date.parse(batch.window.start);
      expect(length).toBe(2000);
      const received = batch.events.map(({ event, data }) =>
        [event, data['id'] ?? data['domain'] ?? data['layer'], data['version']].join(' ').trim(),
      );
      expect(received.toSorted()).toEqual([
        'artifact.deprecated greet 1.1.0',
        'artifact.published greet 1.1.0',
        'domain.published ops',
        'layer.config_changed base',
        'layer.ingested base',
      ]);
      expect(new Set(batch.events.map(({ trace_id }) => trace_id)).size).toBeGreaterThan(1);
      expect(receiver.taken).toHaveLength(1);
    },
  );

  verifies('EVENT-32', 'a batch is signed and retried like a single event', async () => {
    const place = await open({ debounce: '1s' });
    const { receiver, secret } = place;
    let refused = false;
    receiver.respondWith(() => {
      if (refused) return 204;
      refused = true;
      return 500;
    });
    await publish(place, 'ann');
    const [first, second] = await receiver.waitFor(2);
    expect(second?.id).toBe(first?.id);
    expect(second?.text).toBe(first?.text);
    const hmac = createHmac('sha256', secret)
      .update(second?.text ?? '')
      .digest('hex');
    expect(second?.headers['x-catalog-signature']).toBe(`sha256=${hmac}`);
    expect(second?.body.event).toBe('batch');
  });
});

describe('deliveries', () => {
  test('are listed in pages, include their body, and are resent with the same id', async () => {
    const place = await open();
    const { receiver, server, params } = place;
    for (const owner of ['a', 'b', 'c']) await publish(place, owner);
    await receiver.waitFor(3);
    await expect
      .poll(async () => {
        const query = { state: 'delivered' };
        return (await server.call(listWebhookDeliveries, { params, query })).deliveries.length;
      })
      .toBe(3);
    const first = await server.call(listWebhookDeliveries, { params, query: { limit: '2' } });
    expect(first.deliveries).toHaveLength(2);
    const { next_cursor = '' } = first;
    const second = await server.call(listWebhookDeliveries, {
      params,
      query: { limit: '2', cursor: next_cursor },
    });
    expect(second.deliveries).toHaveLength(1);
    expect(second).not.toHaveProperty('next_cursor');
    const bad = await server.request(listWebhookDeliveries, { params, query: { cursor: 'x' } });
    expect(bad).toMatchObject({ status: 400 });
    const [delivery = { id: '' }] = second.deliveries;
    const one = { ...params, delivery: delivery.id };
    const shown = await server.call(getWebhookDelivery, { params: one });
    expect(shown).toMatchObject({ state: 'delivered', status: 204, attempts: 1 });
    const again = await server.call(redeliverWebhook, { params: one });
    expect(again).toMatchObject({ id: delivery.id, state: 'pending', attempts: 0 });
    const taken = await receiver.waitFor(4);
    expect(taken.at(-1)).toMatchObject({ id: delivery.id, text: shown.body });
    const unknown = { ...params, delivery: 'msg_unknown' };
    for (const row of [getWebhookDelivery, redeliverWebhook]) {
      expect(await server.request(row, { params: unknown })).toMatchObject({ status: 404 });
    }
  });

  test('that failed since a time are resent', async () => {
    const place = await open({}, { 'webhooks.retry_schedule': [] });
    const { receiver, server, params } = place;
    receiver.respondWith(500);
    for (const owner of ['a', 'b', 'c']) await publish(place, owner);
    const list = async (state: string) =>
      (await server.call(listWebhookDeliveries, { params, query: { state } })).deliveries.length;
    await expect.poll(() => list('failed')).toBe(3);
    receiver.respondWith(204);
    const recover = (since: Date) =>
      server.call(recoverWebhook, { params, body: { since: since.toISOString() } });
    expect(await recover(new Date(Date.now() + 60_000))).toEqual({ recovered: 0 });
    expect(await recover(new Date(Date.now() - 60_000))).toEqual({ recovered: 3 });
    await expect.poll(() => list('delivered')).toBe(3);
  });

  test('of a test ignore the filter', async () => {
    const place = await open({ event_filter: ['layer.ingested'] });
    const { receiver, server, params } = place;
    const queued = await server.call(testWebhook, { params });
    expect(queued).toMatchObject({ event: 'webhook.test', state: 'pending', attempts: 0 });
    const [delivery] = await receiver.waitFor(1);
    expect(delivery).toMatchObject({ id: queued.id, body: { event: 'webhook.test' } });
  });

  test('are signed with both secrets after a rotation', async () => {
    const place = await open();
    const { receiver, server, secret, params } = place;
    const next = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    await server.call(updateWebhook, { params, body: { secret: next } });
    await publish(place, 'ann');
    const [delivery] = await receiver.waitFor(1);
    const headers = delivery?.headers ?? {};
    const trio = {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    };
    for (const one of [secret, next]) {
      expect(new Webhook(one).verify(delivery?.text ?? '', trio)).toBeDefined();
    }
    const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    expect(() => new Webhook(other).verify(delivery?.text ?? '', trio)).toThrow();
  });
});

describe('removed events', () => {
  test('are announced as a gap before the remaining events', async () => {
    const place = await open({ disabled: true });
    const { receiver, server, params } = place;
    for (const owner of ['a', 'b', 'c']) await publish(place, owner);
    const { store } = server.registry;
    await store.transaction(async ({ receivers, outbox }) => {
      const stored = await receivers.lock(ONLY_TENANT, params.id);
      if (stored === undefined) throw new Error('the receiver is gone');
      await outbox.prune(ONLY_TENANT, '2999-01-01T00:00:00.000Z', 2);
      await receivers.define(ONLY_TENANT, params.id, { ...stored, disabled_by: null });
    });
    const taken = await receiver.waitFor(2);
    const received = taken.map(({ body }) => `${body.event} ${body.cursor}`);
    expect(received.toSorted()).toEqual(['_gap 2', 'layer.config_changed 3']);
  });
});

test('receivers get events for a reorder and an unregistered layer', async () => {
  const place = await open({ event_filter: ['layer.config_changed'] });
  const { server, receiver } = place;
  await seedLayer(server, { id: 'y' });
  await server.call(reorderLayers, { body: { order: ['y', 'x'] } });
  await server.call(unregisterLayer, { query: { id: 'y' } });
  const taken = await receiver.waitFor(2);
  expect(taken.map(({ body }) => String(body.data?.['action'])).toSorted()).toEqual([
    'reorder',
    'unregister',
  ]);
});
