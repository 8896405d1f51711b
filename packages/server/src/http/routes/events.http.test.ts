import { registerLayer, reingestLayer } from '@catalog/contract/endpoints/layers';
import { events } from '@catalog/contract/endpoints/operations';
import { followEvents, type EventFollower } from '@catalog/testkit/follow-events';
import { startGitServer } from '@catalog/testkit/git-server';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

function rule(version: string, more = ''): string {
  return `---\ntype: rule\nversion: ${version}\ndescription: How to greet a visitor.\n${more}---\nWave.\n`;
}

const DOMAIN = '---\ndescription: What operations does.\n---\n';

async function changeOwner(server: RegistryServer, owner: string): Promise<void> {
  await server.request(`/v1/layers/update?id=x`, { method: 'POST', body: { owner } });
}

async function startWithLayer(): Promise<RegistryServer> {
  const server = await startRegistry();
  await seedLayer(server, { id: 'x' });
  return server;
}

type ReceivedEvent = [event: string, about: unknown, version: unknown];

async function nextCycle(follower: EventFollower): Promise<ReceivedEvent[]> {
  const received: ReceivedEvent[] = [];
  for (;;) {
    const { event, data } = await follower.next();
    received.push([event, data['id'] ?? data['domain'] ?? data['layer'], data['version']]);
    if (event === 'layer.ingested') return received;
  }
}

describe('GET /v1/events', () => {
  verifies(
    ['EVENT-01', 'EVENT-18'],
    'returns one event per line with its five members',
    async () => {
      const server = await startWithLayer();
      const follower = await followEvents(server);
      expect(follower.headers['content-type']).toBe('application/x-ndjson');
      expect(follower.headers['cache-control']).toContain('no-cache');
      await server.request('/v1/layers/update?id=x', {
        method: 'POST',
        body: { owner: 'ann' },
        headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
      });
      const line = await follower.nextLine();
      expect(JSON.parse(line ?? '')).toEqual({
        event: 'layer.config_changed',
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        actor: { type: 'operator' },
        data: { layer: 'x', action: 'update' },
        cursor: '1',
      });
    },
  );

  test('reports a public actor in public mode', async () => {
    const server = await startRegistry({ settings: { public_mode: true } });
    await seedLayer(server, { id: 'x' });
    const follower = await followEvents(server);
    await changeOwner(server, 'ann');
    expect((await follower.next()).actor).toEqual({ type: 'public' });
  });

  verifies(
    ['EVENT-02', 'EVENT-03'],
    'streams the requested types, or all types by default',
    async () => {
      const server = await startRegistry();
      const all = await followEvents(server);
      const some = await followEvents(server, '?type=layer.ingested&type=domain.published');
      await server.ingest({ 'ops/DOMAIN.md': DOMAIN, 'ops/greet/ARTIFACT.md': rule('1.0.0') });
      expect((await nextCycle(all)).map(([event]) => event)).toEqual(
        expect.arrayContaining(['layer.config_changed', 'artifact.published', 'domain.published']),
      );
      const received = (await nextCycle(some)).map(([event]) => event);
      expect(received).toEqual(['domain.published', 'layer.ingested']);
    },
  );

  verifies(
    ['EVENT-05', 'EVENT-06', 'EVENT-07', 'EVENT-08'],
    'reports new artifacts of an ingest, and its end once',
    async () => {
      // A git layer, because changes in a local folder would trigger additional ingests.
      const host = await startGitServer(temporaryFolder());
      onTestFinished(() => host.close());
      const repository = host.addRepository('skills.git');
      repository.commit({ 'ops/DOMAIN.md': DOMAIN, 'ops/greet/ARTIFACT.md': rule('1.0.0') });
      const server = await startRegistry({ settings: { 'egress.allowed_hosts': ['127.0.0.1'] } });
      await server.call(registerLayer, {
        body: { id: 'base', source_type: 'git', repo: repository.url },
      });
      const ingest = () => server.call(reingestLayer, { query: { id: 'base' } });
      await ingest();
      const follower = await followEvents(server);
      const ingested = ['layer.ingested', 'base', undefined];

      await ingest();
      expect(await nextCycle(follower)).toEqual([ingested]);

      repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.1.0') });
      await ingest();
      expect(await nextCycle(follower)).toEqual([
        ['artifact.published', 'ops/greet', '1.1.0'],
        ingested,
      ]);

      repository.commit({ 'ops/DOMAIN.md': `${DOMAIN}More.\n` });
      await ingest();
      expect(await nextCycle(follower)).toEqual([['domain.published', 'ops', undefined], ingested]);

      repository.commit({ 'ops/greet/ARTIFACT.md': rule('1.2.0', 'deprecated: true\n') });
      await ingest();
      expect(await nextCycle(follower)).toEqual([
        ['artifact.published', 'ops/greet', '1.2.0'],
        ['artifact.deprecated', 'ops/greet', '1.2.0'],
        ingested,
      ]);

      repository.commit({ 'ops/greet/ARTIFACT.md': null });
      await ingest();
      expect(await nextCycle(follower)).toEqual([
        ['artifact.removed', 'ops/greet', undefined],
        ingested,
      ]);
    },
  );

  verifies(
    ['LIMIT-04', 'EVENT-04'],
    'sends a heartbeat every 30 seconds and stays open until the client disconnects',
    async () => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      try {
        const server = await startWithLayer();
        const follower = await followEvents(server);
        vi.advanceTimersByTime(29_000);
        await changeOwner(server, 'ann');
        expect(JSON.parse((await follower.nextLine()) ?? '')).toMatchObject({ cursor: '1' });
        for (let minutes = 0; minutes < 20; minutes += 1) {
          vi.advanceTimersByTime(30_000);
          expect(JSON.parse((await follower.nextLine()) ?? '')).toEqual({
            event: '_heartbeat',
            cursor: '1',
          });
        }
        await changeOwner(server, 'bob');
        expect((await follower.next()).cursor).toBe('2');
        follower.close();
        await changeOwner(server, 'carl');
        expect((await followEvents(server, '?since=2')).headers['x-catalog-cursor']).toBe('2');
      } finally {
        vi.useRealTimers();
      }
    },
  );

  test('misses no event committed after the response started', async () => {
    const server = await startWithLayer();
    for (let round = 0; round < 10; round += 1) {
      const follower = await followEvents(server);
      await changeOwner(server, `owner-${round}`);
      expect((await follower.next()).cursor).toBe(String(round + 1));
      follower.close();
    }
  });

  test('resumes after a cursor with the events since then', async () => {
    const server = await startWithLayer();
    for (const owner of ['a', 'b', 'c']) await changeOwner(server, owner);
    const follower = await followEvents(server, '?since=1');
    await changeOwner(server, 'd');
    const cursors = [await follower.next(), await follower.next(), await follower.next()];
    expect(cursors.map(({ cursor }) => cursor)).toEqual(['2', '3', '4']);
  });

  test('reports a gap if the events are no longer stored', async () => {
    const server = await startWithLayer();
    for (const owner of ['a', 'b', 'c']) await changeOwner(server, owner);
    await server.registry.store.transaction((writes) =>
      writes.outbox.prune(1, new Date(Date.now() + 1000).toISOString(), 1000),
    );
    const follower = await followEvents(server, '?since=1');
    expect(await follower.nextLine()).toBe('{"event":"_gap"}');
    await changeOwner(server, 'd');
    expect((await follower.next()).cursor).toBe('4');
  });

  test('a slow reader loses no events and does not delay other readers', async () => {
    const server = await startWithLayer();
    const slow = await followEvents(server);
    const quick = await followEvents(server, '?type=layer.config_changed');
    // More than the buffers of the connection hold.
    const batch = Array.from({ length: 1000 }, () => ({
      event: 'artifact.removed',
      trace_id: '0'.repeat(32),
      // The current time, because old events could be removed before they are read.
      timestamp: new Date().toISOString(),
      actor: {},
      data: { id: `ops/${'long-'.repeat(100)}name`, layer: 'x' },
    }));
    for (let sent = 0; sent < 12; sent += 1) {
      await server.registry.store.transaction((writes) => writes.outbox.append(1, batch));
    }
    await changeOwner(server, 'ann');
    expect((await quick.next()).cursor).toBe('12001');
    for (let cursor = 1; cursor <= 12_001; cursor += 1) {
      const line = await slow.nextLine();
      if (line?.endsWith(`"cursor":"${cursor}"}`) !== true) expect.fail(`${cursor}: ${line}`);
    }
  });

  test.each([
    ['?type=artifact.publised', 'type'],
    ['?type=', 'type'],
    ['?since=yesterday', 'since'],
  ])('rejects %s and lists the accepted values', async (query, argument) => {
    const server = await startRegistry();
    const answer = await server.request(`${events.path}${query}`);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'registry.invalid_argument', details: { argument } },
    });
  });

  test('a stopping registry closes its streams cleanly', async () => {
    const server = await startRegistry({ keep: true });
    const follower = await followEvents(server);
    const ended = follower.nextLine();
    await server.close();
    expect(await ended).toBeUndefined();
  });
});
