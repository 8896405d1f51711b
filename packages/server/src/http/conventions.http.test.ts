import { session, signIn, signOut } from '@catalog/contract/endpoints/browser';
import { listIngests, listLayers } from '@catalog/contract/endpoints/layers';
import { loadArtifact } from '@catalog/contract/endpoints/materialization';
import { openApi } from '@catalog/contract/endpoints/operations';
import { endpoints } from '@catalog/contract/endpoints/table';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { cookiesOf } from '@catalog/testkit/sign-in-steps';
import { errorOf } from '@catalog/testkit/checked-response';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { OBJECTS_IN_A_FOLDER } from '@catalog/testkit/test-backend';
import { verifies } from '@catalog/testkit/verifies';

const LARGE = 'x'.repeat(262_145);

const FILES = {
  'ops/ship/ARTIFACT.md':
    '---\ntype: command\nname: ship\nversion: 1.0.0\ndescription: Ship a release.\n---\nShip it.\n',
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

/** Headers of HTTP itself, and headers that other programs know by these names. */
const STANDARD_HEADERS = new Set([
  'allow',
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'etag',
  'keep-alive',
  'location',
  'referrer-policy',
  'set-cookie',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-frame-options',
  'x-request-id',
]);

/** Settings that are sufficient to start a sign-in without a request to the provider. */
const BROWSER_SIGN_IN = {
  'identity_provider.type': 'oidc-jwt',
  'identity_provider.issuer': 'https://127.0.0.1:1',
  'identity_provider.audience': ['catalog'] as string[],
  'web_ui.enabled': true,
  'web_ui.auth': true,
  'web_ui.oauth_client_id': 'catalog-web',
  'web_ui.oauth_client_secret': 'of the client',
  'web_ui.redirect_uri': 'https://catalog.test/v1/ui/auth/callback',
  'web_ui.oauth_authorization_endpoint': 'https://127.0.0.1:1/authorize',
  'web_ui.oauth_token_endpoint': 'https://127.0.0.1:1/token',
} as const;

describe('conventions', () => {
  verifies('CONV-01', 'response headers specific to catalog start with X-Catalog-', async () => {
    const loaded = await server.call(loadArtifact, { query: { id: 'ops/ship' } });
    const link = loaded.large_resources['data/large.txt']?.presigned_url ?? '';
    const own = new Set<string>();
    const note = (headers: object): void => {
      for (const name of Object.keys(headers)) if (!STANDARD_HEADERS.has(name)) own.add(name);
    };
    for (const path of [
      '/healthz',
      '/metrics',
      '/v1/layers',
      '/v1/catalog',
      '/v1/load_artifact?id=ops/ship',
      '/v1/load_artifact?id=none',
      '/v1/sync/manifest',
      '/nothing/here',
      new URL(link, server.url).pathname,
    ]) {
      note((await server.request(path)).headers);
    }
    const stream = await server.open('/v1/events');
    stream.close();
    note(stream.headers);
    expect([...own].toSorted()).toEqual([
      'x-catalog-content-hash',
      'x-catalog-cursor',
      'x-catalog-server-version',
      'x-catalog-version',
    ]);
  });

  verifies('CONV-01', 'a trusted proxy identifies users with X-Catalog- headers', async () => {
    const behind = await startRegistry({
      settings: {
        'identity_provider.type': 'trusted-headers',
        'identity_provider.proxy_secret': 'between us',
        'web_ui.enabled': true,
      },
    });
    const headers = {
      'X-Catalog-User-Sub': 'ann',
      'X-Catalog-User-Email': 'ann@example.org',
      'X-Catalog-Proxy-Secret': 'between us',
    };
    const { body } = await behind.request(session, { headers });
    expect(body).toMatchObject({ subject: 'ann', email: 'ann@example.org' });
  });

  verifies('CONV-01', 'cookies start with __Host-catalog_', async () => {
    const browser = await startRegistry({ settings: BROWSER_SIGN_IN });
    const signInCookies = cookiesOf(await browser.request(signIn));
    expect(Object.keys(signInCookies)).toEqual(['__Host-catalog_auth']);
    const signOutCookies = cookiesOf(await browser.request(signOut));
    expect(Object.keys(signOutCookies).toSorted()).toEqual([
      '__Host-catalog_auth',
      '__Host-catalog_session',
    ]);
  });

  verifies('CONV-02', 'bodies are JSON except for bytes, text and event streams', async () => {
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

  verifies('CONV-03', 'every request and response field is snake_case', async () => {
    // The test client rejects responses with undocumented fields.
    const { body } = await server.request(openApi);
    // SCIM and Sigstore bundles use the names of their standards (SPEC-60), and headers are not fields.
    const own: unknown = JSON.parse(JSON.stringify(body), (name, value) =>
      /^(?:\/scim\/v2\/|Scim[A-Z]|SignatureBundle$)/.test(name) || value?.in === 'header'
        ? undefined
        : value,
    );
    // Audit records have one key with a dot (OPS-03, SPEC-31).
    const names = [...fieldNames(own)].filter((name) => !name.startsWith('caller.'));
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

  verifies('VER-01', 'every API path starts with /v1/', async () => {
    // `/` redirects to `/app/`. RFC 9728 defines the path of resource metadata.
    const free = /^\/(?:v1|objects|scim\/v2|app|\.well-known)\/|^\/(?:metrics|healthz|readyz)?$/;
    expect(endpoints.map(({ path }) => path).filter((path) => !free.test(path))).toEqual([]);
    for (const path of ['/layers', '/load_artifact?id=ops/ship', '/v2/layers', '/v1', '/v1/']) {
      expect((await server.request(path)).status, path).toBe(404);
    }
  });

  verifies('MODE-04', 'a registry without authentication ignores bearer tokens', async () => {
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

function* timestamps(node: unknown): Generator<[key: string, value: unknown]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if ((key.endsWith('_at') || key === 'timestamp') && value !== null) yield [key, value];
    else yield* timestamps(value);
  }
}
