import { describe, expect, test } from 'vitest';
import { batchLoad } from '@catalog/contract/endpoints/materialization';
import { syncManifestEndpoint } from '@catalog/contract/endpoints/discovery';
import { events } from '@catalog/contract/endpoints/operations';
import { CatalogError, type ErrorEnvelope } from '@catalog/contract/errors/catalog-error';
import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { sendJson, startFakeServer, type Answer } from '@catalog/testkit/fake-server';
import { openClient } from './client.ts';
import { openConnection } from './connection.ts';
import { EVENTS_PATH, openEvents } from './event-stream.ts';
import { RegistryError } from './registry-error.ts';
import { getManifest, loadBatch, SYNC_PATHS } from './sync-calls.ts';

const SEARCH = {
  query: 'deploy',
  total_matched: 1,
  results: [
    { id: 'ops/check', type: 'skill', version: '1.0.0', score: 1, description: 'Check.', tags: [] },
  ],
};

const NOT_FOUND = {
  code: 'registry.not_found',
  message: 'There is no artifact ops/none.',
  details: { id: 'ops/none' },
  retryable: false,
  suggested_action: 'Search for it.',
};

const BUSY = {
  code: 'registry.unavailable',
  message: 'The store is away.',
  details: {},
  retryable: true,
  suggested_action: 'Wait.',
};

function reported(url: string, envelope: ErrorEnvelope): ErrorEnvelope {
  const { message, suggested_action } = envelope;
  const row = Object.entries(ERROR_CODES).find(([code]) => code === envelope.code);
  return {
    ...envelope,
    message: `The registry at ${url} reports: "${message}" It suggests: "${suggested_action}"`,
    suggested_action:
      row?.[1].suggested_action ?? 'Ask the operator of the registry about this error.',
  };
}

function inTurn(...answers: Answer[]): Answer {
  let next = 0;
  return (request, response) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    return answer?.(request, response);
  };
}

describe('call', () => {
  test('is sent to the path of its endpoint below the registry URL, with its arguments', async () => {
    const { url, requests } = await startFakeServer((_, response) => sendJson(response, SEARCH));
    const client = openClient({ registry: `${url}/catalog/` });
    await client.searchArtifacts({ query: 'a & b', tags: ['x', 'y'], top_k: 5 });
    expect(requests[0]).toMatchObject({
      method: 'GET',
      path: '/catalog/v1/search_artifacts?query=a+%26+b&top_k=5&tags=x%2Cy',
    });
    expect(client.registry).toBe(`${url}/catalog`);
  });

  test('reports read-only mode for responses and errors', async () => {
    const { url } = await startFakeServer(
      inTurn(
        (_, response) => sendJson(response, SEARCH),
        (_, response) => {
          response.setHeader('x-catalog-read-only', 'true');
          response.setHeader('x-catalog-read-only-lag-seconds', '7');
          sendJson(response, SEARCH);
        },
        (_, response) => {
          response.setHeader('x-catalog-read-only', 'true');
          response.setHeader('x-catalog-read-only-lag-seconds', '8');
          response.statusCode = 404;
          response.end(JSON.stringify(NOT_FOUND));
        },
      ),
    );
    const lags: number[] = [];
    const client = openClient({ registry: url, onReadOnly: (lag) => lags.push(lag) });
    await client.searchArtifacts({});
    await client.searchArtifacts({});
    await expect(client.searchArtifacts({})).rejects.toMatchObject({ code: 'registry.not_found' });
    expect(lags).toEqual([7, 8]);
  });

  test('fills in path parameters and sends a body as JSON', async () => {
    const { url, requests } = await startFakeServer((_, response) => sendJson(response, {}));
    const client = openClient({ registry: url });
    await client.getIngest('a/b').catch(() => undefined);
    await client.reorderLayers(['team', 'base']).catch(() => undefined);
    expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/v1/ingests/a%2Fb', ''],
      ['POST', '/v1/layers/reorder', '{"order":["team","base"]}'],
    ]);
    expect(requests[1]?.headers['content-type']).toBe('application/json');
  });

  test('ignores members of a later release and rejects other differences', async () => {
    const added = {
      ...SEARCH,
      suggestions: [],
      results: SEARCH.results.map((result) => ({ ...result, stars: 5 })),
    };
    const { url } = await startFakeServer(
      inTurn(
        (_, response) => sendJson(response, added),
        (_, response) => sendJson(response, { ...SEARCH, total_matched: 'many' }),
      ),
    );
    const client = openClient({ registry: url });
    expect(await client.searchArtifacts({})).toEqual(SEARCH);
    await expect(client.searchArtifacts({})).rejects.toMatchObject({
      code: 'network.registry_unreachable',
      message: expect.stringContaining('search_artifacts'),
    });
  });

  test('keeps a batch item whose error has unknown details', async () => {
    const item = {
      id: 'a',
      status: 'error',
      error: { ...NOT_FOUND, code: 'visibility.denied', details: { id: 'a', since: 'later' } },
    };
    const { url } = await startFakeServer((_, response) => sendJson(response, [item]));
    expect(await openClient({ registry: url }).batchLoad({ ids: ['a'] })).toEqual([item]);
  });

  test('accepts a response without a body only if the contract defines none', async () => {
    const { url, requests } = await startFakeServer(
      inTurn(
        (_, response) => void response.writeHead(204).end(),
        (_, response) => sendJson(response, { done: true }),
      ),
    );
    const client = openClient({ registry: url });
    expect(await client.revokeAdmin('a b')).toBeUndefined();
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /v1/admin/grants?user_id=a+b',
    ]);
    await expect(client.deactivateTenant('t1')).rejects.toMatchObject({
      code: 'network.registry_unreachable',
      message: expect.stringContaining('deactivate_tenant'),
    });
  });

  test('sends the token to the registry', async () => {
    const { url, requests } = await startFakeServer((_, response) => sendJson(response, SEARCH));
    await openClient({
      registry: url,
      tokens: { token: () => Promise.resolve('secret') },
    }).searchArtifacts({});
    await openClient({ registry: url }).searchArtifacts({});
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer secret',
      undefined,
    ]);
  });
});

describe('error', () => {
  test('with a known code is a CatalogError', async () => {
    const { url } = await startFakeServer((_, response) =>
      sendJson(response, NOT_FOUND, { status: 404 }),
    );
    const error = await openClient({ registry: url })
      .loadArtifact({ id: 'ops/none' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CatalogError);
    expect(error).toMatchObject(reported(url, NOT_FOUND));
  });

  test('of a plugin is a RegistryError with the same envelope', async () => {
    const envelope = { ...NOT_FOUND, code: 'acme.no_budget' };
    const { url } = await startFakeServer((_, response) =>
      sendJson(response, envelope, { status: 422 }),
    );
    const error = await openClient({ registry: url })
      .registerLayer({ id: 'x', source_type: 'git' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RegistryError);
    expect(error instanceof RegistryError && error.toEnvelope()).toEqual(reported(url, envelope));
  });

  test.each([
    ['a page', 200, {}, '<html>', /returned healthz in a format/],
    [
      'a foreign error',
      404,
      {},
      '<html>',
      /responded with status 404, but not in the format of a registry/,
    ],
    [
      'a redirect',
      308,
      { location: 'https://x.test/' },
      '',
      /redirects callers to "https:\/\/x\.test\/.*"/,
    ],
  ])('%s throws network.registry_unreachable', async (_, status, headers, body, message) => {
    const { url } = await startFakeServer((__, response) => {
      response.writeHead(status, headers).end(body);
    });
    await expect(openClient({ registry: url }).health()).rejects.toMatchObject({
      code: 'network.registry_unreachable',
      message: expect.stringMatching(message),
      suggested_action: expect.stringContaining('Check the URL of the registry'),
    });
  });

  test('of an unreachable registry contains its URL and the next step', async () => {
    const { url, close } = await startFakeServer(() => undefined);
    await close();
    await expect(openClient({ registry: url }).health()).rejects.toMatchObject({
      code: 'network.registry_unreachable',
      message: `The registry at ${url} is unreachable: connection refused.`,
      details: { registry: url },
      suggested_action: expect.stringContaining('catalog serve'),
    });
  });

  test.each([
    ['ftp://x.test', /is not a URL/],
    ['http://', /is not a URL/],
    ['https://me:secret@x.test/', /name or password/],
    ['https://x.test/?a=1', /query/],
  ])('the registry URL %s throws config.invalid', (registry, message) => {
    expect(() => openClient({ registry })).toThrow(
      expect.objectContaining({
        code: 'config.invalid',
        message: expect.stringMatching(message),
      }),
    );
    expect(() => openClient({ registry })).not.toThrow(/secret/);
  });
});

describe('failed request', () => {
  test('is not retried after a connection timeout, but after a connection reset', async () => {
    const attempts: Record<string, number> = {};
    for (const code of ['ETIMEDOUT', 'ECONNRESET']) {
      attempts[code] = 0;
      const client = openClient({
        registry: 'http://127.0.0.1:1',
        transport: () => {
          attempts[code] = (attempts[code] ?? 0) + 1;
          return Promise.reject(Object.assign(new Error('no'), { code }));
        },
      });
      await expect(client.health()).rejects.toMatchObject({ code: 'network.registry_unreachable' });
    }
    expect(attempts).toEqual({ ETIMEDOUT: 1, ECONNRESET: 3 });
  });

  test('is retried after a transient failure', async () => {
    const { url, requests } = await startFakeServer(
      inTurn(
        (_, response) => sendJson(response, BUSY, { status: 500 }),
        (_, response) => void response.destroy(),
        (_, response) => sendJson(response, SEARCH),
      ),
    );
    expect(await openClient({ registry: url }).searchArtifacts({})).toEqual(SEARCH);
    expect(requests).toHaveLength(3);
  });

  test('throws the error after three attempts', async () => {
    const { url, requests } = await startFakeServer((_, response) =>
      sendJson(response, BUSY, { status: 500 }),
    );
    await expect(openClient({ registry: url }).searchArtifacts({})).rejects.toMatchObject(
      reported(url, BUSY),
    );
    expect(requests).toHaveLength(3);
  });

  test('is retried if the response breaks off', async () => {
    const { url, requests } = await startFakeServer(
      inTurn(
        (_, response) => {
          response.writeHead(200, { 'content-length': 100 }).write('{');
          setTimeout(() => response.destroy(), 10);
        },
        (_, response) => sendJson(response, SEARCH),
      ),
    );
    expect(await openClient({ registry: url }).searchArtifacts({})).toEqual(SEARCH);
    expect(requests).toHaveLength(2);
  });

  test('is not retried if it changes the registry', async () => {
    const { url, requests } = await startFakeServer((_, response) =>
      sendJson(response, BUSY, { status: 500 }),
    );
    const client = openClient({ registry: url });
    await expect(client.unregisterLayer({ id: 'x' })).rejects.toMatchObject(reported(url, BUSY));
    await expect(client.reingestLayer({ id: 'x' })).rejects.toMatchObject(reported(url, BUSY));
    expect(requests).toHaveLength(2);
  });

  test('is not retried if the error is permanent or the delay too long', async () => {
    const { url, requests } = await startFakeServer(
      inTurn(
        (_, response) => sendJson(response, NOT_FOUND, { status: 404 }),
        (_, response) =>
          sendJson(response, BUSY, { status: 429, headers: { 'retry-after': '3600' } }),
      ),
    );
    const client = openClient({ registry: url });
    await expect(client.searchArtifacts({})).rejects.toMatchObject(reported(url, NOT_FOUND));
    await expect(client.searchArtifacts({})).rejects.toMatchObject(reported(url, BUSY));
    expect(requests).toHaveLength(2);
  });

  test('rejects when the caller aborts', async () => {
    const { url, requests } = await startFakeServer(() => undefined);
    const stop = new AbortController();
    const call = openClient({ registry: url }).searchArtifacts({}, stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(call).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });
});

describe('event stream', () => {
  test('yields events as they arrive in chunks of any size', async () => {
    const { url, requests } = await startFakeServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"event":"_heartbeat"}\n\n{"event":"artifact.pub');
      setTimeout(() => response.end('lished","data":{"id":"é"}}\n'), 10);
    });
    const seen: unknown[] = [];
    const client = openClient({ registry: url });
    for await (const event of client.events({ types: ['a', 'b'], since: '7' })) seen.push(event);
    expect(seen).toEqual([
      { event: '_heartbeat' },
      { event: 'artifact.published', data: { id: 'é' } },
    ]);
    expect(requests[0]?.path).toBe('/v1/events?type=a&type=b&since=7');
  });

  test('throws the error of a rejected request', async () => {
    const { url } = await startFakeServer((_, response) =>
      sendJson(response, NOT_FOUND, { status: 404 }),
    );
    const next = openClient({ registry: url }).events({ types: [] }).next();
    await expect(next).rejects.toMatchObject(reported(url, NOT_FOUND));
  });
});

test("paths of calls without the contract's schemas match the contract", () => {
  expect(SYNC_PATHS.manifest).toBe(syncManifestEndpoint.path);
  expect(SYNC_PATHS.batch).toBe(batchLoad.path);
  expect(EVENTS_PATH).toBe(events.path);
});

describe('token in a response', () => {
  const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.signature';
  const tokens = { token: () => Promise.resolve(token) };
  const body = JSON.stringify({
    ...SEARCH,
    query: token,
    results: [{ ...SEARCH.results[0], description: `Send ${token.slice(0, 20)} there.` }],
  });

  test('is removed from a response', async () => {
    const { url } = await startFakeServer((_, response) => sendJson(response, JSON.parse(body)));
    const found = await openClient({ registry: url, tokens }).searchArtifacts({});
    expect(found.query).toBe('[redacted]');
    expect(found.results[0]?.description).toBe('Send [redacted] there.');
  });

  test('is removed from a manifest and its cached bytes', async () => {
    const rejected = [
      { artifact_id: 'a', layer: 'base', code: 'ingest.lint', reason: `You sent ${token}.` },
    ];
    const { url } = await startFakeServer((_, response) =>
      sendJson(response, { artifacts: [], rejected }),
    );
    const answer = await getManifest(openConnection({ registry: url, tokens }), '');
    if (answer.kind !== 'manifest') throw new Error('no manifest');
    expect(answer.manifest.rejected[0]?.reason).toBe('You sent [redacted].');
    expect(Buffer.from(answer.bytes).toString()).not.toContain(token);
  });

  test('is removed from the error of a batch item', async () => {
    const { url } = await startFakeServer((_, response) =>
      sendJson(response, [{ id: 'a', status: 'error', error: { ...NOT_FOUND, message: token } }]),
    );
    const [item] = await loadBatch(openConnection({ registry: url, tokens }), { ids: ['a'] });
    expect(item).toMatchObject({
      error: { message: expect.stringContaining(`The registry at ${url} reports: "[redacted]"`) },
    });
  });

  test('is removed from the event stream', async () => {
    const { url } = await startFakeServer((_, response) => {
      response.end(`${JSON.stringify({ event: 'x', data: { id: token } })}\n`);
    });
    const stream = await openEvents(openConnection({ registry: url, tokens }), { types: [] });
    const lines: string[] = [];
    if (stream.kind === 'open') for await (const line of stream.lines) lines.push(line);
    expect(lines).toEqual(['{"event":"x","data":{"id":"[redacted]"}}']);
  });

  test('is removed from the target of a redirect', async () => {
    const { url } = await startFakeServer((_, response) => {
      response.writeHead(307, { location: `https://x.test/${token}` }).end();
    });
    const failed = openClient({ registry: url, tokens }).searchArtifacts({});
    await expect(failed).rejects.toThrow('redirects callers to "https://x.test/[redacted]"');
  });

  test('is removed from an error, together with a secret of the request body', async () => {
    const secret = 'whsec_0123456789abcdef';
    const message = `${token} and ${secret}`;
    const { url } = await startFakeServer((_, response) =>
      sendJson(response, { ...NOT_FOUND, message }, { status: 404 }),
    );
    const created = openClient({ registry: url, tokens }).createWebhook({ url, secret });
    await expect(created).rejects.toThrow('reports: "[redacted] and [redacted]"');
  });
});
