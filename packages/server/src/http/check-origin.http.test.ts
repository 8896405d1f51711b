import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { listLayers } from '@catalog/contract/endpoints/layers';
import { TRUSTED_HEADERS } from '@catalog/testkit/callers';
import { exchange } from '@catalog/testkit/http-exchange';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { errorOf } from '@catalog/testkit/checked-response';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

let server: RegistryServer;
let host: string;

beforeAll(async () => {
  server = await startRegistry({ keep: true, settings: { allowed_hosts: ['catalog.internal'] } });
  host = new URL(server.url).host;
});
afterAll(() => server.close());

async function write(headers: Record<string, string>): Promise<unknown> {
  const options = { method: 'POST', body: { order: [] }, headers };
  const { status, body } = await server.request('/v1/layers/reorder', options);
  return status === 200 ? 200 : [status, errorOf(body)?.code];
}

const REFUSED = [403, 'auth.csrf_invalid'];

describe('cross-site write protection', () => {
  verifies(
    ['CSRF-01', 'CSRF-10'],
    'rejects a cross-site write before it takes effect',
    async () => {
      const { status, body } = await server.request('/v1/layers', {
        method: 'POST',
        body: { id: 'planted', source_type: 'local', local_path: server.folder },
        headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      });
      expect([status, errorOf(body)?.code]).toEqual(REFUSED);
      expect(await server.call(listLayers)).toEqual({ layers: [] });
    },
  );

  verifies('CSRF-02', 'rejects a cross-site write regardless of its credential', async () => {
    const authorization = 'Bearer aGVsbG8.d29ybGQ.c2ln';
    expect(await write({ 'sec-fetch-site': 'cross-site', authorization })).toEqual(REFUSED);
    expect(await write({ origin: 'https://evil.example', authorization })).toEqual(REFUSED);
  });

  verifies(['CSRF-03', 'CSRF-04'], 'Sec-Fetch-Site is evaluated by its value', async () => {
    for (const site of ['cross-site', 'same-site', 'cross-origin', '', 'none, cross-site']) {
      expect(await write({ 'sec-fetch-site': site }), site).toEqual(REFUSED);
    }
    for (const site of ['same-origin', 'none']) {
      expect(await write({ 'sec-fetch-site': site }), site).toBe(200);
    }
  });

  verifies('CSRF-05', 'an Origin whose host or port differs from Host is rejected', async () => {
    const name = host.split(':')[0];
    const foreign = [
      'https://evil.example',
      `http://${name}`,
      `http://${name}:1`,
      `http://${host}.evil.example`,
      `http://evil.example@${host}`,
      `http://${host}/`,
      'null',
      '',
      host,
    ];
    for (const origin of foreign) expect(await write({ origin }), origin).toEqual(REFUSED);
    expect(await write({ origin: `http://${host}` })).toBe(200);
    expect(await write({ origin: `http://${host.toUpperCase()}` })).toBe(200);
  });

  verifies('CSRF-06', 'the scheme is ignored, and default ports equal absent ones', async () => {
    expect(await write({ origin: `https://${host}` })).toBe(200);
    for (const [origin, named] of [
      ['http://localhost', 'localhost'],
      ['https://localhost', 'localhost'],
      ['https://localhost', 'localhost:443'],
      ['http://localhost:80', 'localhost'],
      ['http://[::1]', '[::1]:80'],
    ] as const) {
      expect(await write({ origin, host: named }), origin).toBe(200);
    }
    expect(await write({ origin: 'http://localhost:8080', host: 'localhost' })).toEqual(REFUSED);
  });

  verifies('CSRF-07', 'a write without Sec-Fetch-Site and Origin is accepted', async () => {
    expect(await write({})).toBe(200);
  });

  verifies('CSRF-08', 'GET, HEAD and OPTIONS are not checked', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await server.request('/v1/layers', { headers })).status).toBe(200);
    expect((await server.request('/healthz', { method: 'HEAD', headers })).status).toBe(200);
    const { status, body } = await server.request('/v1/layers', { method: 'OPTIONS', headers });
    expect([status, errorOf(body)?.code]).toEqual([400, 'registry.invalid_argument']);
  });
});

describe('cross-site protection of every route and method', () => {
  const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];
  const PATHS = [
    '/v1/layers',
    '/v1/layers/reorder',
    '/v1/admin/grants',
    '/v1/load_artifact',
    '/nobody-serves-this',
  ];
  const evidence = (): [headers: Record<string, string>, isForeign: boolean][] => [
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin', origin: `http://${host}` }, false],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'same-site', origin: `http://${host}` }, true],
    [{ 'sec-fetch-site': 'none', origin: 'https://evil.example' }, true],
    [{ origin: 'null' }, true],
  ];

  test('rejects exactly the unsafe methods with cross-site headers, in 240 combinations', async () => {
    let cells = 0;
    for (const path of PATHS) {
      for (const method of METHODS) {
        for (const [headers, isForeign] of evidence()) {
          const { status, raw } = await exchange(server.url, path, { method, headers });
          const isGated = status === 403 && raw.includes('auth.csrf_invalid');
          const isSafe = ['GET', 'HEAD', 'OPTIONS'].includes(method);
          const cell = `${method} ${path} ${JSON.stringify(headers)}`;
          expect(isGated, cell).toBe(isForeign && !isSafe);
          cells += 1;
        }
      }
    }
    expect(cells).toBe(240);
  });
});

test('a request with two Host headers is rejected before any other check', async () => {
  for (const method of ['GET', 'POST']) {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const second = `hOsT: evil.example`;
    socket.end(
      `${method} /healthz HTTP/1.1\r\nHost: ${host}\r\n${second}\r\nConnection: close\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 [\s\S]*registry.invalid_argument/);
  }
});

describe('Host check of a registry without authentication (SPEC-53, SPEC-92)', () => {
  test.each(['evil.example', 'evil.example:8080', '127.0.0.1.evil', '0x7f.1', 'localhost.evil'])(
    'rejects %s for every method',
    async (name) => {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const { status, raw } = await exchange(server.url, '/v1/layers', {
          method,
          headers: { host: name },
        });
        expect(status).toBe(403);
        if (method !== 'HEAD') expect(raw.toString()).toContain('auth.csrf_invalid');
      }
    },
  );

  test.each([
    'localhost',
    'LOCALHOST:9',
    'tools.localhost',
    '127.0.0.1',
    '127.9.9.9:1',
    '[::1]:8080',
    '10.0.0.1',
    '[2001:db8::1]:80',
    'catalog.internal',
  ])('accepts %s', async (name) => {
    const { status } = await server.request('/v1/layers', { headers: { host: name } });
    expect(status).toBe(200);
  });

  test('is off if credentials are required and on if unauthenticated headers are trusted', async () => {
    const proxied = await startRegistry({ settings: TRUSTED_HEADERS });
    const believing = await startRegistry({
      settings: { 'identity_provider.type': 'trusted-headers' },
    });
    const headers = { host: 'catalog.example' };
    expect((await proxied.request('/v1/openapi.json', { headers })).status).toBe(200);
    expect((await believing.request('/v1/openapi.json', { headers })).status).toBe(403);
  });

  test.each([
    ['on loopback', '127.0.0.1:0'],
    ['on every interface', '0.0.0.0:0'],
  ])('applies %s, except to probes and the management listener', async (_, bind) => {
    const open = await startRegistry({
      settings: {
        bind,
        management_bind: bind,
        public_url: 'https://catalog.example',
        allow_public_bind: true,
        open_writes: 'allow',
        'log.level': 'info',
      },
    });
    const status = async (path: string, name: string): Promise<number> =>
      (await exchange(open.url, path, { headers: { host: name } })).status;
    expect(await status('/v1/layers', 'evil.example')).toBe(403);
    expect(await status('/v1/layers', 'catalog.example')).toBe(200);
    for (const path of ['/healthz', '/readyz']) {
      expect(await status(path, 'evil.example')).toBe(200);
    }
    const management_url = /"management_url":"([^"]*)"/.exec(open.log.join('\n'))?.[1] ?? '';
    const metrics = await exchange(management_url, '/metrics', {
      headers: { host: 'evil.example' },
    });
    expect(metrics.status).toBe(200);
  });
});
