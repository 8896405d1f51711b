import { grantAdmin } from '@catalog/contract/endpoints/access';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  recoverWebhook,
  testWebhook,
  updateWebhook,
} from '@catalog/contract/endpoints/webhooks';
import { EVENT_NAMES } from '@catalog/contract/event-names';
import { NEVER } from '@catalog/contract/records/webhook';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const URL_OF_RECEIVER = 'https://127.0.0.1:9/catalog';
const LOOPBACK = { 'webhooks.allowed_targets': ['127.0.0.0/8'] };
const BAD_ARGUMENT = { status: 400, body: { code: 'registry.invalid_argument' } };

function start(): Promise<RegistryServer> {
  return startRegistry({ settings: LOOPBACK });
}

describe('/v1/webhooks', () => {
  verifies(
    ['HOOKOUT-01', 'HOOKOUT-02', 'HOOKOUT-09', 'HOOKOUT-17', 'HOOKOUT-18', 'HOOKOUT-24'],
    'POST creates a receiver and returns its generated secret once',
    async () => {
      const server = await start();
      const { status, body } = await server.request(createWebhook, {
        body: { url: URL_OF_RECEIVER },
      });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        url: URL_OF_RECEIVER,
        secret: expect.stringMatching(/^whsec_[A-Za-z\d+/]{43}=$/),
        event_filter: null,
        disabled: false,
        failure_count: 0,
        last_delivery: NEVER,
        last_failure: NEVER,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      });
    },
  );

  verifies(
    ['HOOKOUT-03', 'HOOKOUT-15', 'HOOKOUT-19', 'HOOKOUT-20', 'HOOKOUT-12'],
    'reads, lists and updates mask the secret and omit the tenant',
    async () => {
      const server = await start();
      const { id, ...created } = await server.call(createWebhook, {
        body: { url: URL_OF_RECEIVER, secret: 'my own secret of 24 bytes' },
      });
      expect(created.secret).toBe('my own secret of 24 bytes');
      const masked = { ...created, id, secret: '***' };
      const params = { id };
      expect(await server.call(getWebhook, { params })).toEqual(masked);
      expect(await server.call(listWebhooks)).toEqual({ receivers: [masked] });
      expect(await server.call(updateWebhook, { params, body: {} })).toEqual(masked);
      expect(Object.keys(masked).filter((name) => name.includes('tenant'))).toEqual([]);
    },
  );

  test.each([
    ['s', false],
    ['s'.repeat(23), false],
    ['s'.repeat(24), true],
    [`whsec_${Buffer.alloc(23).toString('base64')}`, false],
    [`whsec_${Buffer.alloc(24).toString('base64')}`, true],
  ])('a new secret requires a key of 24 bytes: %s', async (secret, isAccepted) => {
    const server = await start();
    const created = await server.request(createWebhook, {
      body: { url: URL_OF_RECEIVER, secret },
    });
    const { id } = await server.call(createWebhook, { body: { url: URL_OF_RECEIVER } });
    const updated = await server.request(updateWebhook, { params: { id }, body: { secret } });
    for (const [answer, status] of [
      [created, 201],
      [updated, 200],
    ] as const) {
      if (isAccepted) expect(answer.status).toBe(status);
      else expect(answer).toMatchObject(BAD_ARGUMENT);
    }
  });

  verifies(
    ['HOOKOUT-16'],
    'POST accepts every field and rejects a body without a URL',
    async () => {
      const server = await start();
      const given = {
        url: URL_OF_RECEIVER,
        secret: 's'.repeat(24),
        event_filter: ['layer.ingested'],
        debounce: '30s',
        disabled: true,
      };
      expect(await server.call(createWebhook, { body: given })).toMatchObject({
        ...given,
        disabled_by: 'admin',
      });
      expect(await server.request(createWebhook, { body: { secret: 's' } })).toMatchObject(
        BAD_ARGUMENT,
      );
      expect((await server.call(listWebhooks)).receivers).toHaveLength(1);
    },
  );

  verifies(
    ['HOOKOUT-10', 'HOOKOUT-11'],
    'a debounce window is returned in normalized form and omitted if unset',
    async () => {
      const server = await start();
      const { id } = await server.call(createWebhook, {
        body: { url: URL_OF_RECEIVER, debounce: '60s' },
      });
      const params = { id };
      expect((await server.call(getWebhook, { params })).debounce).toBe('1m0s');
      const update = (debounce: unknown) =>
        server.request(updateWebhook, { params, body: { debounce } });
      expect((await update('30s')).body).toMatchObject({ debounce: '30s' });
      for (const invalid of [30, 60_000_000_000, '30', '999ms', '24h1s', 'soon']) {
        expect(await update(invalid)).toMatchObject(BAD_ARGUMENT);
      }
      expect((await update('24h')).body).toMatchObject({ debounce: '24h0m0s' });
      expect((await update('')).body).not.toHaveProperty('debounce');
    },
  );

  verifies('HOOKOUT-04', 'a filter contains event names or is null', async () => {
    const server = await start();
    const create = (event_filter: unknown) =>
      server.request(createWebhook, { body: { url: URL_OF_RECEIVER, event_filter } });
    expect((await create(null)).body).toMatchObject({ event_filter: null });
    expect((await create([...EVENT_NAMES])).body).toMatchObject({ event_filter: EVENT_NAMES });
    const twice = ['layer.ingested', 'layer.ingested'];
    expect((await create(twice)).body).toMatchObject({ event_filter: ['layer.ingested'] });
    for (const invalid of [[], ['layer.unknown'], ['_gap'], 'layer.ingested']) {
      expect(await create(invalid)).toMatchObject(BAD_ARGUMENT);
    }
  });

  verifies(
    ['HOOKOUT-20', 'HOOKOUT-27'],
    'PUT changes the given fields, and sending back a read keeps the secret',
    async () => {
      const server = await start();
      const created = await server.call(createWebhook, {
        body: { url: URL_OF_RECEIVER, event_filter: ['layer.ingested'], debounce: '5s' },
      });
      const params = { id: created.id };
      const { url, event_filter, debounce, disabled } = await server.call(getWebhook, { params });
      await server.call(updateWebhook, {
        params,
        body: { url, event_filter, debounce, disabled, secret: '***' },
      });
      const stored = await server.registry.store.receivers.get(ONLY_TENANT, created.id);
      expect(stored).toMatchObject({ secret: created.secret, previous_secret: null });
      const changed = await server.call(updateWebhook, {
        params,
        body: { url: 'https://127.0.0.1:10/other' },
      });
      expect(changed).toEqual({ ...created, secret: '***', url: 'https://127.0.0.1:10/other' });
    },
  );

  test('a new secret and the former one both sign for a day', async () => {
    const server = await start();
    const created = await server.call(createWebhook, { body: { url: URL_OF_RECEIVER } });
    const before = Date.now();
    await server.call(updateWebhook, {
      params: { id: created.id },
      body: { secret: 'n'.repeat(24) },
    });
    const stored = await server.registry.store.receivers.get(ONLY_TENANT, created.id);
    expect(stored).toMatchObject({ secret: 'n'.repeat(24), previous_secret: created.secret });
    const hours = (Date.parse(stored?.previous_secret_until ?? '') - before) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
  });

  verifies(
    ['HOOKOUT-21', 'ERR-78'],
    'DELETE removes a receiver, and a missing receiver returns 404',
    async () => {
      const server = await start();
      const { id } = await server.call(createWebhook, { body: { url: URL_OF_RECEIVER } });
      const params = { id };
      expect(await server.request(deleteWebhook, { params })).toMatchObject({ status: 204 });
      const absent = { status: 404, body: { code: 'registry.not_found', details: { id } } };
      for (const row of [getWebhook, deleteWebhook, testWebhook, listWebhookDeliveries]) {
        expect(await server.request(row, { params })).toMatchObject(absent);
      }
      expect(await server.request(updateWebhook, { params, body: {} })).toMatchObject(absent);
      const since = { since: '2026-01-01T00:00:00Z' };
      expect(await server.request(recoverWebhook, { params, body: since })).toMatchObject(absent);
      expect(await server.call(listWebhooks)).toEqual({ receivers: [] });
    },
  );

  verifies(
    ['HOOKOUT-22'],
    'only administrators of the tenant read and change receivers',
    async () => {
      const server = await startRegistry({
        settings: { ...LOOPBACK, ...TRUSTED_HEADERS, bootstrap_admins: ['ada'] },
      });
      const admin = server.as(asCaller({ subject: 'ada' }));
      const user = server.as(asCaller({ subject: 'bo' }));
      const { id } = await admin.call(createWebhook, { body: { url: URL_OF_RECEIVER } });
      const forbidden = { status: 403, body: { code: 'auth.forbidden' } };
      const params = { id };
      for (const row of [listWebhooks, getWebhook, deleteWebhook, testWebhook]) {
        expect(await user.request(row, { params })).toMatchObject(forbidden);
      }
      const body = { url: URL_OF_RECEIVER };
      expect(await user.request(createWebhook, { body })).toMatchObject(forbidden);
      expect(await user.request(updateWebhook, { params, body })).toMatchObject(forbidden);
      await admin.call(grantAdmin, { body: { user_id: 'bo' } });
      expect((await user.call(listWebhooks)).receivers).toHaveLength(1);
    },
  );

  test('audits the creation, change and deletion of a receiver without secret and path', async () => {
    const server = await start();
    const { id, secret } = await server.call(createWebhook, { body: { url: URL_OF_RECEIVER } });
    const params = { id };
    await server.call(updateWebhook, { params, body: { disabled: true } });
    await server.request(deleteWebhook, { params });
    const audit = await server.registry.store.audit.list(ONLY_TENANT, 0, 100);
    const records = audit.map(({ record }) => record);
    expect(records).toMatchObject([
      { type: 'webhook.receiver_changed', action: 'create', receiver: id, host: '127.0.0.1:9' },
      { type: 'webhook.receiver_changed', action: 'update', receiver: id, disabled: true },
      { type: 'webhook.receiver_changed', action: 'delete', receiver: id },
    ]);
    expect(JSON.stringify(records)).not.toContain(secret);
    expect(JSON.stringify(records)).not.toContain('/catalog');
  });

  test('a tenant has a limited number of receivers', async () => {
    const server = await start();
    const create = () => server.request(createWebhook, { body: { url: URL_OF_RECEIVER } });
    for (let at = 0; at < 100; at += 1) expect(await create()).toMatchObject({ status: 201 });
    expect(await create()).toMatchObject(BAD_ARGUMENT);
  });
});

describe('receiver URL', () => {
  verifies(
    ['HOOKOUT-28', 'HOOKOUT-29', 'HOOKOUT-30', 'HOOKOUT-31', 'HOOKOUT-34'],
    'requires https and a public address, and the error names the host',
    async () => {
      const server = await startRegistry();
      const refused = [
        ['http://93.184.215.14/', '93.184.215.14'],
        ['https://127.0.0.1/', '127.0.0.1'],
        ['https://127.9.9.9/', '127.9.9.9'],
        ['https://[::1]/', '::1'],
        ['https://localhost/', 'localhost'],
        ['https://169.254.169.254/latest', '169.254.169.254'],
        ['https://10.0.0.1/', '10.0.0.1'],
        ['https://172.16.0.1/', '172.16.0.1'],
        ['https://192.168.1.1/', '192.168.1.1'],
      ];
      for (const [url, host] of refused) {
        const answer = await server.request(createWebhook, { body: { url } });
        expect([url, answer]).toMatchObject([url, BAD_ARGUMENT]);
        expect(JSON.stringify(answer.body)).toContain(host);
      }
      const created = await server.call(createWebhook, {
        body: { url: 'https://93.184.215.14/hook' },
      });
      const params = { id: created.id };
      const body = { url: 'https://10.0.0.1/' };
      expect(await server.request(updateWebhook, { params, body })).toMatchObject(BAD_ARGUMENT);
      expect(await server.call(getWebhook, { params })).toMatchObject({
        url: 'https://93.184.215.14/hook',
      });
    },
  );

  verifies(
    ['HOOKOUT-35', 'HOOKOUT-36'],
    'may use a listed private address, but only with https',
    async () => {
      const server = await startRegistry({
        settings: { 'webhooks.allowed_targets': ['10.1.0.0/16', 'localhost'] },
      });
      const create = (url: string) => server.request(createWebhook, { body: { url } });
      expect(await create('https://10.1.2.3/')).toMatchObject({ status: 201 });
      expect(await create('https://localhost:8443/')).toMatchObject({ status: 201 });
      expect(await create('https://10.2.0.1/')).toMatchObject(BAD_ARGUMENT);
      expect(await create('http://10.1.2.3/')).toMatchObject(BAD_ARGUMENT);
      expect(await create('http://localhost/')).toMatchObject(BAD_ARGUMENT);
    },
  );
});
