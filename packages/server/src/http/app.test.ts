import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { defineEndpoint } from '@catalog/contract/endpoints/endpoint';
import { exchange } from '@catalog/testkit/http-exchange';
import { openMemoryRegistry } from '@catalog/testkit/memory-registry';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApp, type CompletedRequest, type AppOptions, type FailedRequest } from './app.ts';
import { RequestsInProgress } from './requests-in-progress.ts';
import { defineRoute, type Call, type Reply, type Route } from './route.ts';
import { startHttp, type RunningHttp } from './start-http.ts';

function route(
  name: string,
  handle: (call: Call) => Promise<Reply>,
  access: 'read' | 'admin' = 'read',
): Route {
  const endpoint = defineEndpoint({
    name,
    methods: ['GET', 'HEAD'],
    path: `/v1/${name}`,
    summary: '',
    access,
    writes: false,
    responses: { 200: null },
    errors: [],
  });
  return defineRoute(endpoint, handle);
}

interface Started {
  origin: string;
  http: RunningHttp;
  answered: CompletedRequest[];
  failed: FailedRequest[];
}

async function start(routes: readonly Route[], own: Partial<AppOptions> = {}): Promise<Started> {
  const memory = await openMemoryRegistry();
  const { registry } = memory;
  const answered: CompletedRequest[] = [];
  const failed: FailedRequest[] = [];
  let ids = 0;
  const listener = createApp({
    registry,
    routes,
    identify: () => ({ kind: 'open' }),
    allowed_hosts: 'any',
    clientAddress: () => '192.0.2.1',
    newRequestId: () => String((ids += 1)).padStart(32, '0'),
    monotonicMs: () => 5,
    onAnswered: (one) => answered.push(one),
    onFailed: (one) => failed.push(one),
    in_progress: new RequestsInProgress(),
    ...own,
  });
  const http = await startHttp({ host: '127.0.0.1', port: 0, listener });
  onTestFinished(async () => {
    await http.close({ drain_ms: 0 });
    await memory.close();
  });
  return { origin: `http://127.0.0.1:${http.port}`, http, answered, failed };
}

async function* chunksThen(error: Error | undefined): AsyncGenerator<string> {
  yield 'first ';
  yield 'second';
  if (error !== undefined) throw error;
}

describe('request reports', () => {
  test('include the endpoint, status, size and ids', async () => {
    const { origin, answered } = await start([
      route('short', async () => ({ kind: 'json', status: 200, value: { a: 1 } })),
    ]);
    await exchange(origin, '/v1/short');
    await exchange(origin, '/v1/none', {
      headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    });
    expect(answered).toEqual([
      {
        endpoint: 'short',
        method: 'GET',
        status: 200,
        duration_ms: 0,
        bytes: 7,
        request_id: '1'.padStart(32, '0'),
        client_address: '192.0.2.1',
      },
      expect.objectContaining({
        endpoint: 'unknown',
        status: 404,
        code: 'registry.not_found',
        trace_id: 'a'.repeat(32),
      }),
    ]);
  });

  test('include the cause of an error without a code, which the response omits', async () => {
    const error = new Error('/srv/secret.db is locked');
    const { origin, answered, failed } = await start([
      route('broken', async () => {
        throw error;
      }),
    ]);
    const { status, raw, headers } = await exchange(origin, '/v1/broken');
    expect(status).toBe(500);
    expect(raw.toString()).not.toContain('secret');
    expect(failed).toEqual([{ endpoint: 'broken', request_id: headers['x-request-id'], error }]);
    expect(answered).toMatchObject([{ status: 500, code: 'registry.unavailable' }]);
  });

  test('a value that JSON cannot encode fails with status 500', async () => {
    const { origin, failed } = await start([
      route('odd', async () => ({ kind: 'json', status: 200, value: { n: 1n } })),
    ]);
    expect((await exchange(origin, '/v1/odd')).status).toBe(500);
    expect(failed).toHaveLength(1);
  });
});

describe('access classes', () => {
  test('reject a caller without the required role before the route runs', async () => {
    let runs = 0;
    const admin = route(
      'admin',
      async () => {
        runs += 1;
        return { kind: 'empty', status: 204 };
      },
      'admin',
    );
    const identify = async () => ({ kind: 'anonymous' }) as const;
    const { origin, answered } = await start([admin], { identify });
    expect((await exchange(origin, '/v1/admin')).status).toBe(403);
    expect(answered).toMatchObject([{ code: 'auth.forbidden' }]);
    expect(runs).toBe(0);

    const open = await start([admin]);
    expect((await exchange(open.origin, '/v1/admin')).status).toBe(204);
  });
});

describe('streams', () => {
  test('are sent in chunks and counted at their end', async () => {
    const { origin, answered } = await start([
      route('stream', async () => ({
        kind: 'stream',
        status: 200,
        chunks: chunksThen(undefined),
        media_type: 'text/plain',
      })),
    ]);
    const { raw, headers } = await exchange(origin, '/v1/stream');
    expect([raw.toString(), headers['transfer-encoding']]).toEqual(['first second', 'chunked']);
    expect(answered).toMatchObject([{ status: 200, bytes: 12 }]);
    const head = await exchange(origin, '/v1/stream', { method: 'HEAD' });
    expect([head.status, head.raw.length]).toEqual([200, 0]);
  });

  test('a failing stream cuts the connection, so that the client detects the truncation', async () => {
    const error = new Error('lost the disk');
    const { origin, failed } = await start([
      route('breaking', async () => ({
        kind: 'stream',
        status: 200,
        chunks: chunksThen(error),
        media_type: 'text/plain',
      })),
    ]);
    await expect(exchange(origin, '/v1/breaking')).rejects.toThrow(/aborted|reset/);
    expect(failed).toMatchObject([{ endpoint: 'breaking', error }]);
  });

  test('a client that disconnects aborts the route and is not reported as a failure', async () => {
    let aborted = false;
    const { origin, answered, failed } = await start([
      route('waiting', async ({ context }) => {
        await new Promise((resolve) => {
          context.signal.addEventListener('abort', () => {
            aborted = true;
            resolve(undefined);
          });
        });
        throw new Error('the reader left');
      }),
    ]);
    const client = request(`${origin}/v1/waiting`);
    client.on('error', () => undefined);
    client.end();
    await delay(50);
    client.destroy();
    while (answered.length === 0) await delay(5);
    expect(aborted).toBe(true);
    expect(failed).toEqual([]);
  });

  test('a raw route has the usual headers and is reported when it ends', async () => {
    const { origin, answered } = await start([
      route('raw', async () => ({
        kind: 'raw',
        serve(_incoming, outgoing) {
          outgoing.writeHead(200, { 'content-type': 'text/plain' });
          outgoing.end('kept');
        },
      })),
    ]);
    const { raw, headers } = await exchange(origin, '/v1/raw');
    expect(raw.toString()).toBe('kept');
    expect(headers['x-request-id']).toBe('1'.padStart(32, '0'));
    while (answered.length === 0) await delay(5);
    expect(answered).toMatchObject([{ endpoint: 'raw', status: 200 }]);
    expect(answered[0]?.bytes).toBeGreaterThan(3);
  });
});

describe('close', () => {
  test('lets a running request finish and accepts no new connection', async () => {
    const started = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { origin, http } = await start([
      route('slow', async () => {
        started.resolve();
        await released.promise;
        return { kind: 'json', status: 200, value: 'done' };
      }),
    ]);
    const running = exchange(origin, '/v1/slow');
    await started.promise;
    const closed = http.close({ drain_ms: 5000 });
    await nextTurn();
    await expect(exchange(origin, '/v1/slow')).rejects.toThrow(/ECONNREFUSED/);
    released.resolve();
    expect((await running).raw.toString()).toBe('"done"');
    await closed;
  });

  test('closes idle connections at once and cuts requests after the drain period', async () => {
    const started = Promise.withResolvers<void>();
    const { origin, http } = await start([
      route('never', () => {
        started.resolve();
        return new Promise<never>(() => undefined);
      }),
    ]);
    const idle = connect(http.port, '127.0.0.1');
    await once(idle, 'connect');
    const running = exchange(origin, '/v1/never');
    const outcome = expect(running).rejects.toThrow(/hang up|reset/);
    await started.promise;
    const began = performance.now();
    await http.close({ drain_ms: 200 });
    expect(performance.now() - began).toBeLessThan(10_000);
    await outcome;
    idle.destroy();
  });
});
