import dns from 'node:dns/promises';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
} from '@catalog/contract/endpoints/webhooks';
import type { EventBody } from '@catalog/contract/events';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { updateLayer } from '@catalog/contract/endpoints/layers';
import type { Store } from '@catalog/core/ports/store';
import { ONLY_TENANT } from '@catalog/core/ports/tenant';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { openTestBackend } from '@catalog/testkit/test-backend';
import { startDeliveryReceiver } from '@catalog/testkit/delivery-receiver';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

/** Only one process can use the file, so these tests always run on SQLite. */
const ON_SQLITE = { 'store.type': 'sqlite', 'store.dsn': undefined } as const;

function toEvents(count: number): EventBody[] {
  return Array.from({ length: count }, (_, index) => ({
    event: 'artifact.removed',
    trace_id: '0'.repeat(32),
    timestamp: new Date().toISOString(),
    actor: {},
    data: { id: `ops/a${index}`, layer: 'x' },
  }));
}

function countTransactions(store: Store): { advance: number; claim: number } {
  const transaction = store.transaction.bind(store);
  const counts = { advance: 0, claim: 0 };
  vi.spyOn(store, 'transaction').mockImplementation((work) =>
    transaction((writes) => {
      const kept = writes.dispatches;
      const seen = new Set<keyof typeof counts>();
      const count = (name: keyof typeof counts): void => {
        if (!seen.has(name)) counts[name] += 1;
        seen.add(name);
      };
      const dispatches: typeof kept = {
        ...kept,
        advance: (...of) => (count('advance'), kept.advance(...of)),
        claim: (...of) => (count('claim'), kept.claim(...of)),
      };
      return work({ ...writes, dispatches });
    }),
  );
  return counts;
}

const NOT_PUBLIC = (host: string): string =>
  `${host} does not resolve, or resolves to an IP address that is not public.`;

function repoint(name: string): (address: string) => void {
  let address = '';
  const real = dns.lookup;
  const resolve = (host: string): Promise<unknown> =>
    host === name ? Promise.resolve([{ address, family: 4 }]) : real(host, { all: true });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one overload that is called
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(resolve as typeof dns.lookup);
  syncBuiltinESMExports();
  onTestFinished(() => {
    lookup.mockRestore();
    syncBuiltinESMExports();
  });
  return (next) => (address = next);
}

verifies(
  'HOOKOUT-32',
  'checks the URL at registration and again at delivery, so a name that moved to a private address receives nothing',
  async () => {
    const name = 'moving.example';
    const receiver = await startDeliveryReceiver([name]);
    const url = receiver.url.replace('localhost', name);
    const resolveTo = repoint(name);
    const server = await startRegistry({
      settings: { ...receiver.settings, 'webhooks.allowed_targets': [] },
    });
    await seedLayer(server, { id: 'x' });
    resolveTo('127.0.0.1');
    expect(await server.request(createWebhook, { body: { url } })).toMatchObject({
      status: 400,
      body: { message: NOT_PUBLIC(name) },
    });
    resolveTo('93.184.215.14');
    const { id } = await server.call(createWebhook, { body: { url } });
    resolveTo('127.0.0.1');
    await server.call(updateLayer, { query: { id: 'x' }, body: { owner: 'ann' } });
    const query = { state: 'failed' };
    await expect
      .poll(() => server.call(listWebhookDeliveries, { params: { id }, query }), {
        timeout: 10_000,
      })
      .toMatchObject({ deliveries: [{ attempts: 5, error: NOT_PUBLIC(name) }] });
    expect(receiver.connections()).toBe(0);
  },
);

describe('restarted registry', () => {
  verifies(
    ['EVENT-33', 'HOOKOUT-25'],
    'keeps its receivers and sends the batch of an open window',
    async () => {
      const receiver = await startDeliveryReceiver();
      const { settings } = receiver;
      const backend = await openTestBackend(temporaryFolder());
      onTestFinished(() => backend.close());
      const first = await startRegistry({ settings, backend, keep: true });
      await seedLayer(first, { id: 'x' });
      const body = { url: receiver.url, debounce: '3s' };
      const { id } = await first.call(createWebhook, { body });
      for (const owner of ['a', 'b']) {
        await first.call(updateLayer, { query: { id: 'x' }, body: { owner } });
      }
      await expect
        .poll(async () => (await first.registry.store.receivers.get(ONLY_TENANT, id))?.window_end)
        .toBeTypeOf('string');
      await first.close();
      const again = await startRegistry({ settings, backend });
      expect((await again.call(listWebhooks)).receivers).toMatchObject([{ id }]);
      const taken = await receiver.waitFor(1);
      expect(taken).toHaveLength(1);
      expect(JSON.parse(taken[0]?.text ?? '')).toMatchObject({ event: 'batch', count: 1 });
    },
  );

  test('does not send to a target that is no longer allowed', async () => {
    const receiver = await startDeliveryReceiver();
    const backend = await openTestBackend(temporaryFolder());
    onTestFinished(() => backend.close());
    const first = await startRegistry({ settings: receiver.settings, backend, keep: true });
    await seedLayer(first, { id: 'x' });
    const { id } = await first.call(createWebhook, { body: { url: receiver.url } });
    await first.close();
    const settings = { ...receiver.settings, 'webhooks.allowed_targets': [] };
    const again = await startRegistry({ settings, backend });
    await again.call(updateLayer, { query: { id: 'x' }, body: { owner: 'ann' } });
    const failed = () =>
      again.call(listWebhookDeliveries, { params: { id }, query: { state: 'failed' } });
    await expect.poll(failed, { timeout: 10_000 }).toMatchObject({
      deliveries: [{ attempts: 5, error: NOT_PUBLIC('localhost') }],
    });
    expect(receiver.connections()).toBe(0);
  });

  verifies('HOOKOUT-26', 'reads its receivers from the configured file', async () => {
    const receiver = await startDeliveryReceiver();
    const path = join(temporaryFolder(), 'receivers.json');
    const settings = {
      ...receiver.settings,
      ...ON_SQLITE,
      'webhooks.store_path': path,
    };
    const first = await startRegistry({ settings, keep: true });
    const { id, secret } = await first.call(createWebhook, {
      body: { url: receiver.url, event_filter: ['layer.config_changed'], debounce: '1s' },
    });
    const gone = await first.call(createWebhook, { body: { url: receiver.url } });
    await first.request(deleteWebhook, { params: { id: gone.id } });
    await first.close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = await startRegistry({ settings });
    expect((await second.call(listWebhooks)).receivers).toMatchObject([{ id, debounce: '1s' }]);
    const stored = await second.registry.store.receivers.get(ONLY_TENANT, id);
    expect(stored?.secret).toBe(secret);
    await seedLayer(second, { id: 'x' });
    await second.call(updateLayer, { query: { id: 'x' }, body: { owner: 'ann' } });
    const [delivery] = await receiver.waitFor(1);
    expect(delivery?.body.event).toBe('batch');
  });

  test('does not start with an unreadable receiver file', async () => {
    const path = join(temporaryFolder(), 'receivers.json');
    writeFileSync(path, '{"receivers": 1}');
    const started = startRegistry({ settings: { ...ON_SQLITE, 'webhooks.store_path': path } });
    await expect(started).rejects.toMatchObject({ code: 'config.invalid' });
    expect(readFileSync(path, 'utf8')).toBe('{"receivers": 1}');
  });
});

describe('many events', () => {
  test('are sent with few concurrent transactions, which leaves connections to ingests', async () => {
    const receiver = await startDeliveryReceiver();
    const { settings } = receiver;
    const server = await startRegistry({ settings });
    const { store } = server.registry;
    await seedLayer(server, { id: 'x' });
    for (let index = 0; index < 6; index += 1) {
      await server.call(createWebhook, {
        body: { url: receiver.url, event_filter: ['artifact.removed'] },
      });
    }
    let [open, max_open] = [0, 0];
    const transaction = store.transaction.bind(store);
    vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
      let isCounted = false;
      const count = (): void => {
        if (isCounted) return;
        isCounted = true;
        open += 1;
        max_open = Math.max(max_open, open);
      };
      try {
        return await transaction((writes) => {
          const kept = writes.dispatches;
          const dispatches: typeof kept = {
            ...kept,
            claim: (...of) => (count(), kept.claim(...of)),
            advance: (...of) => (count(), kept.advance(...of)),
            finish: (...of) => (count(), kept.finish(...of)),
          };
          return work({ ...writes, dispatches });
        });
      } finally {
        if (isCounted) open -= 1;
      }
    });
    await transaction((writes) => writes.outbox.append(ONLY_TENANT, toEvents(60)));
    await receiver.waitFor(6 * 60);
    await expect.poll(() => store.dispatches.depth()).toMatchObject({ pending: 0 });
    expect(max_open).toBeGreaterThan(0);
    expect(max_open).toBeLessThanOrEqual(3);
  });
});

describe('receivers without matching events', () => {
  test('skip unwanted events together', async () => {
    const receiver = await startDeliveryReceiver();
    const server = await startRegistry({ settings: receiver.settings });
    const { store } = server.registry;
    await seedLayer(server, { id: 'x' });
    for (let index = 0; index < 10; index += 1) {
      await server.call(createWebhook, {
        body: { url: receiver.url, event_filter: ['layer.ingested'] },
      });
    }
    const cursors = async (): Promise<number[]> =>
      (await store.receivers.list(ONLY_TENANT)).map(({ cursor }) => cursor);
    await expect
      .poll(async () => new Set(await cursors()))
      .toEqual(new Set([(await store.outbox.bounds(ONLY_TENANT)).newest]));
    const counts = countTransactions(store);
    await store.transaction(({ outbox }) => outbox.append(ONLY_TENANT, toEvents(6000)));
    const { newest } = await store.outbox.bounds(ONLY_TENANT);
    await expect.poll(async () => new Set(await cursors())).toEqual(new Set([newest]));
    // Ten receivers need one transaction per 4096 events.
    expect(counts).toEqual({ advance: 2, claim: 0 });
  });

  test('are read once per search while too many dispatches are pending', async () => {
    const receiver = await startDeliveryReceiver();
    const server = await startRegistry({ settings: receiver.settings });
    const { store } = server.registry;
    await seedLayer(server, { id: 'x' });
    const { id } = await server.call(createWebhook, { body: { url: receiver.url } });
    const [created_at, not_before] = [new Date().toISOString(), '2999-01-01T00:00:00.000Z'];
    await store.transaction(async ({ dispatches, outbox }) => {
      for (let index = 0; index < 1024; index += 1) {
        const given = { event: 'artifact.removed', cursor: 1, body: '{}', created_at, not_before };
        const dispatch = { id: `msg_${index}`, receiver: id, worker: null, ...given };
        await dispatches.add(ONLY_TENANT, dispatch);
      }
      await outbox.append(ONLY_TENANT, toEvents(10));
    });
    const looks = vi.spyOn(store.dispatches, 'listDue');
    const reads = vi.spyOn(store.dispatches, 'countPending');
    const counts = countTransactions(store);
    await expect.poll(() => looks.mock.calls.length, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(reads.mock.calls.length).toBeGreaterThan(0);
    expect(reads.mock.calls.length).toBeLessThanOrEqual(looks.mock.calls.length);
    expect(counts).toEqual({ advance: 0, claim: 0 });
    expect(receiver.taken).toEqual([]);
  });
});

describe('hanging receivers', () => {
  test('use one request each and leave capacity to a working receiver', async () => {
    const [working, hanging] = [await startDeliveryReceiver(), await startDeliveryReceiver()];
    const settings = { ...working.settings, 'webhooks.concurrency': 4 };
    const server = await startRegistry({ settings });
    await seedLayer(server, { id: 'x' });
    const { id } = await server.call(createWebhook, { body: { url: working.url } });
    const publish = (owner: string) =>
      server.call(updateLayer, { query: { id: 'x' }, body: { owner } });
    await publish('a');
    await expect
      .poll(() => server.call(listWebhookDeliveries, { params: { id } }))
      .toMatchObject({ deliveries: [{ state: 'delivered' }] });
    hanging.respondWith('hang');
    for (let index = 0; index < 6; index += 1) {
      await server.call(createWebhook, { body: { url: hanging.url } });
    }
    await publish('b');
    await working.waitFor(2);
    await hanging.waitFor(2);
    for (const [index, owner] of ['c', 'd', 'e'].entries()) {
      await publish(owner);
      await working.waitFor(3 + index);
    }
    expect(hanging.taken).toHaveLength(2);
  });

  test('do not keep the capacity that they had while they worked', async () => {
    const [working, other] = [await startDeliveryReceiver(), await startDeliveryReceiver()];
    const settings = { ...working.settings, 'webhooks.concurrency': 4 };
    const server = await startRegistry({ settings });
    const { store } = server.registry;
    await seedLayer(server, { id: 'x' });
    await server.call(createWebhook, {
      body: { url: other.url, event_filter: ['artifact.removed'] },
    });
    await server.call(createWebhook, {
      body: { url: working.url, event_filter: ['layer.config_changed'] },
    });
    other.respondWith(() => (other.taken.length <= 20 ? 204 : 'hang'));
    await store.transaction(({ outbox }) => outbox.append(ONLY_TENANT, toEvents(40)));
    // Twenty accepted requests, the first request of the other receiver, and half of the four additional ones.
    await other.waitFor(23);
    await server.call(updateLayer, { query: { id: 'x' }, body: { owner: 'ann' } });
    await working.waitFor(1);
    expect(other.taken).toHaveLength(23);
  });
});

describe('lost connection during a commit', () => {
  function loseAnswer(store: Store, used: 'advance' | 'claim' | 'finish'): { lost: boolean } {
    const outcome = { lost: false };
    const transaction = store.transaction.bind(store);
    vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
      let isUsed = false;
      const result = await transaction((writes) => {
        const { dispatches } = writes;
        const spied = {
          advance: async (...of: Parameters<typeof dispatches.advance>) => {
            if (used === 'advance') isUsed = of[2].dispatches.length > 0;
            return dispatches.advance(...of);
          },
          claim: async (...of: Parameters<typeof dispatches.claim>) => {
            const claimed = await dispatches.claim(...of);
            if (used === 'claim') isUsed ||= claimed.length > 0;
            return claimed;
          },
          finish: async (...of: Parameters<typeof dispatches.finish>) => {
            if (used === 'finish') isUsed = true;
            return dispatches.finish(...of);
          },
        };
        return work({ ...writes, dispatches: { ...dispatches, ...spied } });
      });
      if (!isUsed || outcome.lost) return result;
      outcome.lost = true;
      throw new CatalogError('registry.unavailable', 'The connection was lost during the commit.');
    });
    return outcome;
  }

  test.each(['advance', 'claim', 'finish'] as const)(
    'does not delay or repeat deliveries after %s',
    async (used) => {
      const receiver = await startDeliveryReceiver();
      const server = await startRegistry({ settings: receiver.settings });
      const { store } = server.registry;
      await seedLayer(server, { id: 'x' });
      const { id } = await server.call(createWebhook, { body: { url: receiver.url } });
      const outcome = loseAnswer(store, used);
      if (used === 'claim') {
        const created_at = new Date().toISOString();
        const body = JSON.stringify({ ...toEvents(1)[0], cursor: '1' });
        const given = { event: 'artifact.removed', cursor: 1, body, created_at };
        const dispatch = { id: 'msg_1', receiver: id, worker: null, not_before: created_at };
        await store.transaction(({ dispatches }) =>
          dispatches.add(ONLY_TENANT, { ...dispatch, ...given }),
        );
      } else {
        await store.transaction(({ outbox }) => outbox.append(ONLY_TENANT, toEvents(3)));
      }
      const count = used === 'claim' ? 1 : 3;
      await receiver.waitFor(count);
      await expect
        .poll(() => store.dispatches.depth(), { timeout: 10_000 })
        .toMatchObject({ pending: 0 });
      expect(outcome.lost).toBe(true);
      expect(receiver.taken).toHaveLength(count);
    },
  );
});

test('a disabled receiver leaves an audit record, even if writing it fails at first', async () => {
  const receiver = await startDeliveryReceiver();
  const server = await startRegistry({ settings: receiver.settings });
  const { store } = server.registry;
  await seedLayer(server, { id: 'x' });
  const { id } = await server.call(createWebhook, { body: { url: receiver.url } });
  receiver.respondWith(410);
  const transaction = store.transaction.bind(store);
  let failures = 0;
  vi.spyOn(store, 'transaction').mockImplementation((work) =>
    transaction((writes) => {
      const append: typeof writes.audit.append = (tenant, records) => {
        const isDisabling = records.some(({ action }) => action === 'disable');
        if (!isDisabling || failures === 1) return writes.audit.append(tenant, records);
        failures += 1;
        throw new CatalogError('registry.unavailable', 'The database is unreachable.');
      };
      return work({ ...writes, audit: { ...writes.audit, append } });
    }),
  );
  await store.transaction(({ outbox }) => outbox.append(ONLY_TENANT, toEvents(1)));
  await expect
    .poll(async () => (await store.receivers.get(ONLY_TENANT, id))?.disabled_by, {
      timeout: 10_000,
    })
    .toBe('gone');
  const listRecords = async () =>
    (await store.audit.list(ONLY_TENANT, 0, 1000)).map(({ record }) => record);
  expect(await listRecords()).toContainEqual(
    expect.objectContaining({ action: 'disable', receiver: id }),
  );
  expect(failures).toBe(1);
});
