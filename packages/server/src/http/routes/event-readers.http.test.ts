import { events } from '@catalog/contract/endpoints/operations';
import { asCaller, TRUSTED_HEADERS } from '@catalog/testkit/callers';
import type { OpenStream } from '@catalog/testkit/http-exchange';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { scimClient } from '@catalog/testkit/scim-client';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { IS_STANDARD, openTestBackend } from '@catalog/testkit/test-backend';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../config/settings.ts';
import { StreamPlaces } from '../../registry/events/stream-places.ts';

const TOKEN = 'a-token-of-the-directory';
const ALICE = asCaller({ subject: 'alice' });
const BOB = asCaller({ subject: 'bob' });

/** Starts registries: the first serves streams; the last is another process if the store supports two. */
async function start(settings: Partial<Settings> = {}): Promise<RegistryServer[]> {
  const backend = await openTestBackend(temporaryFolder());
  onTestFinished(() => backend.close());
  const own = { ...TRUSTED_HEADERS, 'scim.tokens': [TOKEN], ...settings };
  const open = (): Promise<RegistryServer> => startRegistry({ settings: own, backend });
  const first = await open();
  return IS_STANDARD ? [first, await open()] : [first];
}

async function readToEnd(stream: OpenStream): Promise<number> {
  const started = performance.now();
  while ((await stream.next()) !== undefined);
  return performance.now() - started;
}

describe('event streams', () => {
  test('end within two seconds after any process deactivates their user', async () => {
    const servers = await start();
    const scim = scimClient(servers.at(-1)?.url ?? '', TOKEN);
    const id = await scim.create('/Users', { userName: 'alice' });
    await scim.create('/Users', { userName: 'bob' });
    const open = (caller: Record<string, string>): Promise<OpenStream> =>
      servers[0]?.as(caller).open('/v1/events') ?? Promise.reject(new Error('no server'));
    const [hers, his] = [await open(ALICE), await open(BOB)];
    await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false });
    expect(await readToEnd(hers)).toBeLessThan(2000);
    const still = Symbol('open');
    const later = new Promise((resolve) => setTimeout(() => resolve(still), 1500));
    expect(await Promise.race([his.next(), later])).toBe(still);
    his.close();
  });

  test('are limited for each user', async () => {
    const [server] = await start({ 'events.max_streams_per_user': 3 });
    if (server === undefined) return;
    const open = (): Promise<OpenStream> => server.as(ALICE).open('/v1/events');
    const streams = [await open(), await open(), await open()];
    expect(await server.as(ALICE).request(events)).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
      body: {
        code: 'quota.event_streams_exceeded',
        details: { limit: 3, current: 3 },
        suggested_action: expect.stringContaining('Close'),
      },
    });
    const his = await server.as(BOB).open('/v1/events');
    expect(his.status).toBe(200);
    his.close();
    streams.pop()?.close();
    await expect
      .poll(async () => {
        const again = await open();
        if (again.status === 200) streams.push(again);
        return again.status;
      })
      .toBe(200);
    expect((await open()).status).toBe(429);
    for (const stream of streams) stream.close();
  });

  test('are limited for each client address without an identity', async () => {
    const server = await startRegistry({
      settings: { 'events.max_streams_per_address': 2, trusted_proxies: ['127.0.0.1'] },
    });
    const from = (address: string) => server.as({ 'x-forwarded-for': address });
    const open: OpenStream[] = [];
    for (const address of ['192.0.2.1', '192.0.2.1', '2001:db8::1', '2001:db8::2', '192.0.2.2']) {
      open.push(await from(address).open('/v1/events'));
    }
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const address of ['192.0.2.1', '2001:db8::3']) {
      expect(await from(address).request(events)).toMatchObject({
        status: 429,
        body: { code: 'quota.event_streams_exceeded', details: { limit: 2, current: 2 } },
      });
    }
    for (const stream of open) stream.close();
  });

  test('are limited for all callers of a process', () => {
    const places = new StreamPlaces({ per_user: 0, per_address: 0, total: 2 });
    const leave = places.take({ kind: 'user', tenant: 1, subject: 'alice' });
    places.take({ kind: 'address', address: '192.0.2.1' });
    const take = () => places.take({ kind: 'user', tenant: 1, subject: 'bob' });
    expect(take).toThrow('This process has 2 open event streams, which is the limit.');
    leave();
    expect(take).not.toThrow();
    leave();
    expect(take).toThrow('which is the limit');
  });

  test('a request with invalid arguments does not count', async () => {
    const [server] = await start({ 'events.max_streams_per_user': 1 });
    for (let at = 0; at < 3; at += 1) {
      const { status } = (await server?.as(ALICE).request('/v1/events?type=none')) ?? {};
      expect(status).toBe(400);
    }
    const stream = await server?.as(ALICE).open('/v1/events');
    expect(stream?.status).toBe(200);
    stream?.close();
  });
});
