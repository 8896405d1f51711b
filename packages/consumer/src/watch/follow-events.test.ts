import type { ServerResponse } from 'node:http';
import { openConnection } from '@catalog/sdk/connection';
import { startFakeServer } from '@catalog/testkit/fake-server';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { followEvents } from './follow-events.ts';

async function follow() {
  const streams: ServerResponse[] = [];
  const registry = await startFakeServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' }).flushHeaders();
    streams.push(response);
  });
  let events = 0;
  const connection = openConnection({ registry: registry.url });
  const watch = followEvents(
    connection,
    () => (events += 1),
    () => undefined,
  );
  onTestFinished(() => watch.close());
  await watch.settled;
  return { registry, streams, events: () => events };
}

verifies('WATCH-09', 'followEvents subscribes to all events that change a view', async () => {
  const { registry } = await follow();
  const [request] = registry.requests;
  const { pathname, searchParams } = new URL(request?.path ?? '', registry.url);
  expect(pathname).toBe('/v1/events');
  expect(searchParams.getAll('type')).toEqual([
    'artifact.published',
    'artifact.deprecated',
    'artifact.removed',
    'artifact.restored',
    'layer.config_changed',
    'layer.user_registered',
  ]);
});

verifies(
  ['WATCH-10', 'WATCH-11', 'WATCH-12'],
  'followEvents counts each line except heartbeats, and each reconnection',
  async () => {
    const { streams, events } = await follow();
    streams[0]?.write('{"event":"_heartbeat"}\n{"event":"_gap"}\nnot even JSON\n');
    await expect.poll(events).toBe(2);
    streams[0]?.end();
    await expect.poll(() => streams.length, { timeout: 10_000 }).toBe(2);
    await expect.poll(events).toBe(3);
  },
);
