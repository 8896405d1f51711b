import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { errorOf } from '@catalog/testkit/checked-response';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { OBJECTS_IN_A_FOLDER } from '@catalog/testkit/test-backend';
import { verifies } from '@catalog/testkit/verifies';

/** Exceeds the size limits for compression and for inline resources. */
const PROSE = 'Ship it slowly. '.repeat(200);
const LARGE = 'x'.repeat(262_145);

const FILES = {
  'ops/ship/ARTIFACT.md': `---\ntype: command\nname: ship\nversion: 1.0.0\ndescription: Ship a release.\n---\n${PROSE}\n`,
  'ops/ship/data/large.txt': LARGE,
};

let server: RegistryServer;

beforeAll(async () => {
  server = await startRegistry({
    keep: true,
    layers: { base: FILES },
    settings: OBJECTS_IN_A_FOLDER,
  });
});
afterAll(() => server.close());

describe('failures', () => {
  verifies(
    'ERR-82',
    'a closed store returns registry.unavailable without internal details',
    async () => {
      const broken = await startRegistry({ layers: { base: FILES } });
      await broken.registry.store.close();
      for (const path of ['/v1/load_artifact?id=ops/ship', '/v1/layers', '/v1/sync/manifest']) {
        const { status, headers, body, raw } = await broken.request(path);
        expect(status).toBe(500);
        expect(body).toMatchObject({
          code: 'registry.unavailable',
          retryable: true,
          details: { request_id: headers['x-request-id'] },
        });
        expect(raw.toString()).not.toMatch(/sqlite|\.ts|node:|\/dev\/shm|\/tmp|at /i);
      }
      const written = await broken.request('/v1/layers', {
        method: 'POST',
        body: { id: 'late', source_type: 'local', local_path: broken.folder },
      });
      expect(errorOf(written.body)?.code).toBe('registry.unavailable');
    },
  );

  verifies('ERR-82', 'an unreadable object store returns registry.unavailable', async () => {
    const broken = await startRegistry({ layers: { base: FILES }, settings: OBJECTS_IN_A_FOLDER });
    const loaded = await broken.call(loadArtifact, { query: { id: 'ops/ship' } });
    const link = loaded.large_resources['data/large.txt']?.presigned_url ?? '';
    const objects = join(broken.folder, 'objects');
    await rm(objects, { recursive: true });
    await writeFile(objects, 'no folder any more');
    const { status, body, raw } = await broken.request(new URL(link).pathname);
    expect([status, errorOf(body)?.code]).toEqual([500, 'registry.unavailable']);
    expect(raw.toString()).not.toContain(broken.folder);
  });

  test('an exhausted quota rejects the request before any read and returns Retry-After', async () => {
    const spent = await startRegistry({
      layers: { base: FILES },
      settings: { 'quota.search_qps': 7, 'quota.materialize_rate': 9 },
    });
    const taken: unknown[] = [];
    spent.registry.quota = {
      async take(_tenant, kind, rate, amount) {
        taken.push([kind, rate, amount]);
        const details = { limit: 1, retry_after_seconds: 1.2 };
        throw kind === 'search'
          ? new CatalogError('quota.search_qps_exceeded', 'Too many searches.', { details })
          : new CatalogError('quota.materialize_rate_exceeded', 'Too many loads.', { details });
      },
    };
    // After this, resolving the tenant is the only store access that works.
    Object.assign(spent.registry.store, { versions: null, search: null, domains: null });
    for (const [path, options, code] of [
      ['/v1/search_artifacts?query=ship', {}, 'quota.search_qps_exceeded'],
      ['/v1/search_domains?query=ship', {}, 'quota.search_qps_exceeded'],
      ['/v1/load_artifact?id=ops/ship', {}, 'quota.materialize_rate_exceeded'],
      [
        '/v1/artifacts:batchLoad',
        { method: 'POST', body: { ids: ['ops/ship', 'none'] } },
        'quota.materialize_rate_exceeded',
      ],
    ] as const) {
      const { status, headers, body } = await spent.request(path, options);
      expect([status, headers['retry-after'], errorOf(body)?.code]).toEqual([429, '2', code]);
    }
    expect(taken).toEqual([
      ['search', 7, 1],
      ['search', 7, 1],
      ['materialize', 9, 1],
      ['materialize', 9, 2],
    ]);
  });

  test('an unknown path returns an error envelope', async () => {
    const { status, body } = await server.request('/v1/nothing?x=1');
    expect(status).toBe(404);
    expect(errorOf(body)).toMatchObject({
      code: 'registry.not_found',
      message: 'Not found: /v1/nothing',
      details: {},
    });
  });

  test('malformed HTTP bytes return an error envelope', async () => {
    const answer = await sendBytes('NONSENSE\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      code: 'registry.invalid_argument',
    });
    const overflow = await sendBytes(
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(overflow).toContain('The headers are too large');
  });
});

function sendBytes(text: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('request ids', () => {
  test('every response has a unique request id', async () => {
    const seen = new Set<string>();
    for (const path of ['/healthz', '/nothing', '/v1/load_artifact', '/healthz']) {
      const id = (await server.request(path)).headers['x-request-id'];
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      seen.add(String(id));
    }
    expect(seen.size).toBe(4);
  });

  test('an event carries the trace id of the request that caused it', async () => {
    const stream = await server.open('/v1/events?type=layer.config_changed');
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traces: unknown[] = [];
    for (const traceparent of [
      `00-${trace}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `ff-${trace}-00f067aa0ba902b7-01`,
      'nonsense',
    ]) {
      await server.request('/v1/layers', {
        method: 'POST',
        body: { id: 'traced', source_type: 'local', local_path: server.folder },
        headers: { traceparent },
      });
      const event: unknown = JSON.parse((await stream.next()) ?? '');
      traces.push(
        typeof event === 'object' && event !== null && 'trace_id' in event && event.trace_id,
      );
    }
    stream.close();
    expect(traces[0]).toBe(trace);
    expect(traces.filter((id) => id === trace)).toHaveLength(1);
    for (const id of traces) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('response headers', () => {
  test('every response has the security and cache headers', async () => {
    for (const path of ['/healthz', '/v1/layers', '/nothing']) {
      expect((await server.request(path)).headers).toMatchObject({
        'cache-control': 'private, no-cache',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
    }
  });

  test.each([
    ['gzip', 'gzip'],
    ['gzip, br', 'br'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['gzip;q=0, br;q=0', undefined],
    ['*', 'br'],
    ['identity', undefined],
    ['zstd, deflate', undefined],
    ['', undefined],
  ])('responses use the coding negotiated from Accept-Encoding: %s', async (accepted, coding) => {
    const plain = await server.request('/v1/load_artifact?id=ops/ship');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const path of ['/v1/load_artifact?id=ops/ship', '/v1/openapi.json', '/v1/sync/manifest']) {
      const headers = { 'accept-encoding': accepted };
      // An ingest may finish between two requests, so two identical responses are required.
      await vi.waitFor(async () => {
        const answer = await server.request(path, { headers });
        expect([path, answer.headers['content-encoding']]).toEqual([path, coding]);
        expect(answer.headers.vary).toBe('Accept-Encoding');
        expect(answer.raw.equals((await server.request(path)).raw)).toBe(true);
      }, 10_000);
    }
  });

  test('small responses and object bytes are not compressed', async () => {
    const headers = { 'accept-encoding': 'gzip, br' };
    const loaded = await server.call(loadArtifact, { query: { id: 'ops/ship' } });
    const link = loaded.large_resources['data/large.txt']?.presigned_url ?? '';
    const object = await server.request(new URL(link, server.url).pathname, { headers });
    expect(object.headers['content-encoding']).toBeUndefined();
    expect(object.raw.toString()).toBe(LARGE);
    const small = await server.request('/healthz', { headers });
    expect(small.headers['content-encoding']).toBeUndefined();
  });
});
