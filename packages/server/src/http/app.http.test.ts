import { connect } from 'node:net';
import { batchLoad, loadArtifact } from '@catalog/contract/endpoints/materialization';
import { searchArtifacts, searchDomains } from '@catalog/contract/endpoints/discovery';
import { listIngests, listLayers } from '@catalog/contract/endpoints/layers';
import { openApi } from '@catalog/contract/endpoints/operations';
import { endpoints } from '@catalog/contract/endpoints/table';
import { REQUEST_BODY_MAX_BYTES } from '@catalog/contract/limits';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../../tests/requirements/verifies.ts';

/** More than what is compressed, and more than what travels inline. */
const PROSE = 'Ship it slowly. '.repeat(200);
const LARGE = 'x'.repeat(262_145);

const FILES = {
  'ops/ship/ARTIFACT.md': `---\ntype: command\nname: ship\nversion: 1.0.0\ndescription: Ship a release.\n---\n${PROSE}\n`,
  'ops/ship/data/large.txt': LARGE,
};

let server: RegistryServer;

beforeAll(async () => {
  server = await startRegistry({ keep: true, layers: { base: FILES } });
});
afterAll(() => server.close());

/** An error's code and details; undefined for an answer that is none. */
function errorOf(body: unknown): { code: unknown; message: string; details: unknown } | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if (!('code' in body && 'message' in body && 'details' in body)) return undefined;
  return { code: body.code, message: String(body.message), details: body.details };
}

describe('conventions', () => {
  verifies('CONV-02', 'bodies are JSON but for bytes, text and the stream', async () => {
    const loaded = await server.call(loadArtifact, { query: { id: 'ops/ship' } });
    const link = loaded.large_resources['data/large.txt']?.presigned_url ?? '';
    const types: Record<string, string | undefined> = {};
    for (const path of [
      '/healthz',
      '/v1/layers',
      '/v1/load_artifact?id=ops/ship',
      '/v1/load_artifact?id=none',
      '/v1/sync/manifest',
      '/v1/openapi.json',
      '/nothing/here',
      '/metrics',
      new URL(link, server.url).pathname,
    ]) {
      const { headers } = await server.request(path);
      types[path.replace(/^\/objects\/.*/, '/objects')] = headers['content-type'];
    }
    const stream = await server.open('/v1/events');
    stream.close();
    expect(stream.headers['content-type']).toBe('application/x-ndjson');
    expect(types['/objects']).toBe('application/octet-stream');
    expect(types['/metrics']).toMatch(/^text\/plain/);
    delete types['/objects'];
    delete types['/metrics'];
    expect(new Set(Object.values(types))).toEqual(new Set(['application/json']));

    const form = await server.request('/v1/layers', {
      method: 'POST',
      body: 'id=x&source_type=local',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(errorOf(form.body)?.details).toEqual({ argument: 'body', constraint: 'content_type' });
  });

  verifies('CONV-03', 'every field of every request and answer is snake_case', async () => {
    // Answers have no field beside the document's: each was parsed strictly on its way in here.
    const { body } = await server.request(openApi);
    const names = [...fieldNames(body)];
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => !/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  verifies('CONV-04', 'every timestamp is RFC 3339 in UTC', async () => {
    const stream = await server.open('/v1/events?since=0');
    const bodies = [
      await server.call(listLayers),
      await server.call(listIngests, { query: { id: 'base' } }),
      (await server.request('/v1/artifacts/versions?id=ops/ship')).body,
      JSON.parse((await stream.next()) ?? ''),
    ];
    stream.close();
    const times = bodies.flatMap((body) => [...timestamps(body)]);
    expect(new Set(times.map(([key]) => key))).toEqual(
      new Set([
        'created_at',
        'last_ingested_at',
        'started_at',
        'finished_at',
        'ingested_at',
        'timestamp',
      ]),
    );
    for (const [key, time] of times) {
      expect(time, key).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
    }
  });

  verifies('VER-01', 'every path of the interface begins with /v1/', async () => {
    const free = /^\/(?:v1|objects|scim\/v2|app)\/|^\/(?:metrics|healthz|readyz)$/;
    expect(endpoints.map(({ path }) => path).filter((path) => !free.test(path))).toEqual([]);
    for (const path of ['/layers', '/load_artifact?id=ops/ship', '/v2/layers', '/v1', '/v1/']) {
      expect((await server.request(path)).status, path).toBe(404);
    }
  });

  verifies('MODE-04', 'a bearer token neither identifies nor refuses', async () => {
    for (const public_mode of [false, true]) {
      const open = await startRegistry({ settings: { public_mode }, layers: { base: FILES } });
      const query = { id: 'ops/ship' };
      const without = await open.request(loadArtifact, { query });
      for (const token of ['Bearer nonsense', 'Bearer a.b.c', 'Basic YTpi', 'Bearer']) {
        const headers = { authorization: token };
        const { status, raw } = await open.request(loadArtifact, { query, headers });
        expect([status, raw]).toEqual([200, without.raw]);
        const layer = { id: 'mine', source_type: 'local', local_path: open.folder };
        const registered = await open.request('/v1/layers', {
          method: 'POST',
          body: layer,
          headers,
        });
        expect(registered.body).toMatchObject({ layer: { user_defined: false, owner: '' } });
      }
    }
  });
});

/** The names of all properties and parameters of an OpenAPI document. */
function* fieldNames(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const item of node) yield* fieldNames(item);
  else if (typeof node === 'object' && node !== null) {
    if ('in' in node && 'name' in node) yield String(node.name);
    for (const [key, value] of Object.entries(node)) {
      if (key === 'properties') yield* Object.keys(value);
      yield* fieldNames(value);
    }
  }
}

/** Every field that holds a moment, by its name. */
function* timestamps(node: unknown): Generator<[key: string, value: unknown]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if ((key.endsWith('_at') || key === 'timestamp') && value !== null) yield [key, value];
    else yield* timestamps(value);
  }
}

describe('methods', () => {
  verifies('ERR-74', 'a method a path does not have is refused with those it has', async () => {
    const expected = {
      'PATCH /v1/layers': 'POST, GET, DELETE',
      'HEAD /v1/layers': 'POST, GET, DELETE',
      'POST /v1/catalog': 'GET',
      'OPTIONS /v1/search_artifacts': 'GET',
      'DELETE /v1/ingests/abc': 'GET',
      'GET /v1/artifacts:batchLoad': 'POST',
    };
    for (const [line, allow] of Object.entries(expected)) {
      const [method = '', path = ''] = line.split(' ');
      const { status, headers, body } = await server.request(path, { method });
      expect([line, status, headers.allow]).toEqual([line, 400, allow]);
      if (method !== 'HEAD') expect(errorOf(body)?.code).toBe('registry.invalid_argument');
    }
  });

  verifies('ERR-75', 'load_artifact has a code of its own for it', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers, body } = await server.request('/v1/load_artifact?id=ops/ship', {
        method,
      });
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
      expect(errorOf(body)?.code).toBe('registry.method_not_allowed');
    }
  });
});

describe('arguments', () => {
  test.each([
    ['/v1/load_artifact', { argument: 'id', constraint: 'required' }, '"id" is required.'],
    ['/v1/load_artifact?id=', { argument: 'id', constraint: 'min' }, '"id" must not be empty.'],
    [
      '/v1/load_artifact?id=a&verison=1',
      { argument: 'verison', constraint: 'unknown' },
      '"verison" is no argument of load_artifact. Did you mean "version"? It takes id, version, session_id, as_admin.',
    ],
    [
      '/v1/load_artifact?id=a&id=b',
      { argument: 'id', constraint: 'repeated' },
      '"id" stands several times; it may stand once.',
    ],
    [
      '/v1/load_artifact?id=a&as_admin=maybe',
      { argument: 'as_admin', constraint: 'values' },
      '"as_admin" must be one of "0", "1", "true", "false", "".',
    ],
    [
      '/v1/search_artifacts?top_k=ten',
      { argument: 'top_k', constraint: 'type' },
      '"top_k" must be a whole number; it is "ten".',
    ],
    [
      '/v1/load_artifact?id=%E0%A4',
      { argument: 'query', constraint: 'encoding' },
      'The query has a percent sign that encodes nothing.',
    ],
    [
      '/v1/sync/manifest?__proto__=x',
      { argument: '__proto__', constraint: 'unknown' },
      '"__proto__" is no argument of sync_manifest. It takes none.',
    ],
  ])('%s', async (path, details, message) => {
    const { status, body } = await server.request(path);
    expect(status).toBe(400);
    expect(errorOf(body)).toEqual({ code: 'registry.invalid_argument', message, details });
  });

  test('encoded arguments are decoded', async () => {
    const { body } = await server.request('/v1/load_artifact?id=ops%2Fship&version=');
    expect(body).toMatchObject({ id: 'ops/ship' });
  });

  verifies('LIMIT-01', 'a batch takes 50 ids and no more', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `none/${index}`);
    expect(await server.call(batchLoad, { body: { ids: ids.slice(1) } })).toHaveLength(50);
    const { status, body } = await server.request(batchLoad, { body: { ids } });
    expect(status).toBe(400);
    expect(errorOf(body)).toMatchObject({
      code: 'registry.invalid_argument',
      details: { argument: 'ids', constraint: 'max' },
    });
  });

  verifies('LIMIT-03', 'top_k is at most 50', async () => {
    for (const row of [searchArtifacts, searchDomains]) {
      expect((await server.request(row, { query: { top_k: 50 } })).status).toBe(200);
      for (const top_k of [51, 0, -1]) {
        const { status, body } = await server.request(row, { query: { top_k } });
        expect([status, errorOf(body)?.code]).toEqual([400, 'registry.invalid_argument']);
      }
    }
  });
});

describe('bodies', () => {
  const register = { method: 'POST' } as const;

  test.each([
    ['no JSON', '{"id":', { argument: 'body', constraint: 'json' }],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), { argument: 'body', constraint: 'json' }],
    ['nothing', '', { argument: 'body', constraint: 'required' }],
    ['a list', [], { argument: 'body', constraint: 'type' }],
    ['an unknown key', { id: 'a', source_type: 'local', pubic: true }, undefined],
  ])('%s is refused', async (_, body, details) => {
    const answer = await server.request('/v1/layers', { ...register, body });
    expect(answer.status).toBe(400);
    const error = errorOf(answer.body);
    if (details !== undefined) expect(error?.details).toEqual(details);
    else expect(error?.message).toContain('"pubic" is unknown. Did you mean "public"?');
  });

  test('a body of the largest size is read, one byte more is not, however it is sent', async () => {
    const fits = `{"ids":["none"]}`.padEnd(REQUEST_BODY_MAX_BYTES);
    const headers = { 'content-type': 'application/json' };
    const taken = await server.request(batchLoad, { body: fits, headers });
    expect(taken.status).toBe(200);

    for (const chunked of [{}, { 'transfer-encoding': 'chunked' }]) {
      const sent = { body: `${fits} `, headers: { ...headers, ...chunked } };
      const refused = await server.request(batchLoad, sent);
      expect([refused.status, refused.headers.connection]).toEqual([400, 'close']);
      expect(errorOf(refused.body)?.details).toEqual({
        argument: 'body',
        constraint: 'body_too_large',
      });
    }
  });

  test('a client still sending a large body reads its refusal', async () => {
    const { status, body } = await server.request(batchLoad, { body: ' '.repeat(8_000_000) });
    expect([status, errorOf(body)?.details]).toEqual([
      400,
      { argument: 'body', constraint: 'body_too_large' },
    ]);
  });
});

describe('failures', () => {
  verifies('ERR-82', 'a failed store is unavailable, and says nothing of itself', async () => {
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
  });

  test('an unknown path is an envelope too', async () => {
    const { status, body } = await server.request('/v1/nothing?x=1');
    expect([status, errorOf(body)]).toEqual([
      404,
      { code: 'registry.not_found', message: 'Nothing is served at /v1/nothing.', details: {} },
    ]);
  });

  test('bytes that are no request are answered with an envelope', async () => {
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
  test('every answer has its own', async () => {
    const seen = new Set<string>();
    for (const path of ['/healthz', '/nothing', '/v1/load_artifact', '/healthz']) {
      const id = (await server.request(path)).headers['x-request-id'];
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      seen.add(String(id));
    }
    expect(seen.size).toBe(4);
  });

  test('what a request causes carries the trace it belongs to', async () => {
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

describe('what every answer carries', () => {
  test('headers for browsers and caches', async () => {
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
  ])('compressed as the client takes it: %s', async (accepted, coding) => {
    const plain = await server.request('/v1/load_artifact?id=ops/ship');
    expect(plain.headers['content-encoding']).toBeUndefined();
    for (const path of ['/v1/load_artifact?id=ops/ship', '/v1/openapi.json', '/v1/sync/manifest']) {
      const headers = { 'accept-encoding': accepted };
      const answer = await server.request(path, { headers });
      expect([path, answer.headers['content-encoding']]).toEqual([path, coding]);
      expect(answer.headers.vary).toBe('Accept-Encoding');
      expect(answer.raw.equals((await server.request(path)).raw)).toBe(true);
    }
  });

  test('small answers and bytes of objects are sent as they are', async () => {
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
