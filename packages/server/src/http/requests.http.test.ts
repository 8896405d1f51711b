import { searchArtifacts, searchDomains } from '@catalog/contract/endpoints/discovery';
import { batchLoad } from '@catalog/contract/endpoints/materialization';
import { REQUEST_BODY_MAX_BYTES } from '@catalog/contract/limits';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { errorOf } from '@catalog/testkit/checked-response';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

const FILES = {
  'ops/ship/ARTIFACT.md':
    '---\ntype: command\nname: ship\nversion: 1.0.0\ndescription: Ship a release.\n---\nShip it.\n',
};

let server: RegistryServer;

beforeAll(async () => {
  server = await startRegistry({ keep: true, layers: { base: FILES } });
});
afterAll(() => server.close());

describe('methods', () => {
  verifies(
    'ERR-74',
    'a method that the path does not support returns the allowed methods',
    async () => {
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
    },
  );

  verifies(
    'ERR-75',
    'load_artifact rejects other methods with status 405 and its own error code',
    async () => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const { status, headers, body } = await server.request('/v1/load_artifact?id=ops/ship', {
          method,
        });
        expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
        expect(errorOf(body)?.code).toBe('registry.method_not_allowed');
      }
    },
  );
});

describe('arguments', () => {
  test.each([
    ['/v1/load_artifact', { argument: 'id', constraint: 'required' }, '"id" is required.'],
    ['/v1/load_artifact?id=', { argument: 'id', constraint: 'min' }, '"id" must not be empty.'],
    [
      '/v1/load_artifact?id=a&verison=1',
      { argument: 'verison', constraint: 'unknown' },
      'Unknown argument "verison" for load_artifact. Did you mean "version"? Accepted: id, version, layer, session_id, as_admin.',
    ],
    [
      '/v1/load_artifact?id=a&id=b',
      { argument: 'id', constraint: 'repeated' },
      '"id" was given more than once.',
    ],
    [
      '/v1/load_artifact?id=a&as_admin=maybe',
      { argument: 'as_admin', constraint: 'values' },
      '"as_admin" must be one of "0", "1", "true", "false", "".',
    ],
    [
      '/v1/search_artifacts?top_k=ten',
      { argument: 'top_k', constraint: 'type' },
      '"top_k" must be an integer, but is "ten".',
    ],
    [
      '/v1/load_artifact?id=%E0%A4',
      { argument: 'query', constraint: 'encoding' },
      'The query contains an invalid percent encoding.',
    ],
    [
      '/v1/sync/manifest?__proto__=x',
      { argument: '__proto__', constraint: 'unknown' },
      'Unknown argument "__proto__" for sync_manifest. None are accepted.',
    ],
  ])('query arguments: %s', async (path, details, message) => {
    const { status, body } = await server.request(path);
    expect(status).toBe(400);
    expect(errorOf(body)).toMatchObject({ code: 'registry.invalid_argument', message, details });
  });

  test('encoded arguments are decoded', async () => {
    const { body } = await server.request('/v1/load_artifact?id=ops%2Fship&version=');
    expect(body).toMatchObject({ id: 'ops/ship' });
  });

  verifies('LIMIT-01', 'a batch accepts at most 50 ids', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => `none/${index}`);
    expect(await server.call(batchLoad, { body: { ids: ids.slice(1) } })).toHaveLength(50);
    const { status, body } = await server.request(batchLoad, { body: { ids } });
    expect(status).toBe(400);
    expect(errorOf(body)).toMatchObject({
      code: 'registry.invalid_argument',
      details: { argument: 'ids', constraint: 'max' },
    });
  });

  verifies('LIMIT-03', 'top_k defaults to 10 and has a maximum of 50', async () => {
    const many = Array.from({ length: 12 }, (_, index) => [
      [`team${index}/DOMAIN.md`, `---\ndescription: Release team ${index}.\n---\n`],
      [
        `team${index}/notes/ARTIFACT.md`,
        '---\ntype: context\nname: notes\nversion: 1.0.0\ndescription: Release notes.\n---\nText.\n',
      ],
    ]);
    const full = await startRegistry({ layers: { base: Object.fromEntries(many.flat()) } });
    const query = { query: 'release' };
    const artifacts = await full.call(searchArtifacts, { query });
    const domains = await full.call(searchDomains, { query });
    expect([artifacts.results.length, domains.domains.length]).toEqual([10, 10]);
    const maxTopKRequest = { query: { ...query, top_k: 50 } };
    expect((await full.call(searchArtifacts, maxTopKRequest)).results).toHaveLength(12);
    expect((await full.call(searchDomains, maxTopKRequest)).domains).toHaveLength(12);
    for (const row of [searchArtifacts, searchDomains]) {
      for (const top_k of [51, 0, -1]) {
        const { status, body } = await full.request(row, { query: { top_k } });
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
  ])('rejects %s', async (_, body, details) => {
    const answer = await server.request('/v1/layers', { ...register, body });
    expect(answer.status).toBe(400);
    const error = errorOf(answer.body);
    if (details !== undefined) expect(error?.details).toEqual(details);
    else expect(error?.message).toContain('Unknown field "pubic". Did you mean "public"?');
  });

  test('a body of the maximum size is read, and one more byte is rejected in every transfer encoding', async () => {
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

  test('a client that is still sending a large body receives the error', async () => {
    const { status, body } = await server.request(batchLoad, { body: ' '.repeat(8_000_000) });
    expect([status, errorOf(body)?.details]).toEqual([
      400,
      { argument: 'body', constraint: 'body_too_large' },
    ]);
  });
});
