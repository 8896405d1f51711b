import { ERROR_CODES } from '@catalog/contract/errors/error-codes';
import { describe, expect, test } from 'vitest';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import { openClient } from './client.ts';
import { openConnection, type TokenSource } from './connection.ts';
import { openEvents } from './event-stream.ts';
import { download } from './sync-calls.ts';

const SEARCH = { query: '', total_matched: 0, results: [] };
const LAYER_LIST = { layers: [] };

function refusal(code: string) {
  return { code, message: 'No.', details: {}, retryable: false, suggested_action: 'Ask.' };
}

function startAccepting(token: string): Promise<FakeServer> {
  return startFakeServer(({ path, headers }, response) => {
    if (headers.authorization !== `Bearer ${token}`) {
      sendJson(response, refusal('auth.token_expired'), { status: 401 });
    } else if (path.startsWith('/v1/events')) response.end('{"event":"_heartbeat"}\n');
    else sendJson(response, path.startsWith('/v1/layers') ? LAYER_LIST : SEARCH);
  });
}

function sourceOf(...tokens: string[]): TokenSource & { refusals: string[] } {
  const refusals: string[] = [];
  return {
    refusals,
    token: () => Promise.resolve(tokens[0]),
    refused: (token) => {
      refusals.push(token);
      tokens.shift();
      return Promise.resolve(tokens[0]);
    },
  };
}

describe('expired token', () => {
  test('is replaced once, and the request is sent again', async () => {
    const { url, requests } = await startAccepting('new');
    const tokens = sourceOf('old', 'new');
    const client = openClient({ registry: url, tokens });
    expect(await client.searchArtifacts({})).toEqual(SEARCH);
    expect(tokens.refusals).toEqual(['old']);
    expect(requests).toHaveLength(2);
  });

  test('is not replaced twice for one request', async () => {
    const { url, requests } = await startAccepting('third');
    const client = openClient({ registry: url, tokens: sourceOf('first', 'second', 'third') });
    await expect(client.searchArtifacts({})).rejects.toMatchObject({ code: 'auth.token_expired' });
    expect(requests).toHaveLength(2);
  });

  test('causes an error if there is no other token', async () => {
    const { url, requests } = await startAccepting('new');
    const client = openClient({ registry: url, tokens: sourceOf('old', 'old') });
    await expect(client.searchArtifacts({})).rejects.toMatchObject({ code: 'auth.token_expired' });
    expect(requests).toHaveLength(1);
  });

  test('is also replaced for a subscription', async () => {
    const { url } = await startAccepting('new');
    const connection = openConnection({ registry: url, tokens: sourceOf('old', 'new') });
    expect(await openEvents(connection, { types: [] })).toMatchObject({ kind: 'open' });
  });
});

describe('token', () => {
  test('is sent only to the origin of the registry', async () => {
    const otherServer = await startFakeServer((_, response) => sendJson(response, 1));
    const registry = await startFakeServer((_, response) => sendJson(response, 1));
    const connection = openConnection({ registry: registry.url, tokens: sourceOf('secret') });
    await download(connection, { url: `${otherServer.url}/large?signature=1`, size: 1 });
    await download(connection, { url: `${registry.url}/objects/1`, size: 1 });
    expect(otherServer.requests[0]?.headers.authorization).toBeUndefined();
    expect(registry.requests[0]?.headers.authorization).toBe('Bearer secret');
  });

  test('is sent without HTTPS only to this machine', async () => {
    const sent: string[] = [];
    const client = openClient({
      registry: 'http://catalog.example.com',
      tokens: sourceOf('secret'),
      transport: (request) => {
        sent.push(request.url);
        return Promise.reject(new Error('not in a test'));
      },
    });
    await expect(client.searchArtifacts({})).rejects.toMatchObject({ code: 'config.invalid' });
    expect(sent).toEqual([]);
  });

  test('an error of the token source is thrown unchanged', async () => {
    const { url } = await startAccepting('new');
    const tokens = { token: () => Promise.reject(new Error('the keychain is locked')) };
    const client = openClient({ registry: url, tokens });
    await expect(client.searchArtifacts({})).rejects.toThrow('the keychain is locked');
  });
});

test('an error without a token includes the advice of the token source', async () => {
  const { url } = await startFakeServer((_, response) =>
    sendJson(response, refusal('auth.forbidden'), { status: 403 }),
  );
  const advice = 'Sign in.';
  const withoutToken = { token: () => Promise.resolve(undefined), advice };
  const withToken = { token: () => Promise.resolve('x'), advice };
  const listLayersWith = (tokens: TokenSource) =>
    openClient({ registry: url, tokens }).listLayers();
  await expect(listLayersWith(withoutToken)).rejects.toMatchObject({ suggested_action: advice });
  await expect(listLayersWith(withToken)).rejects.toMatchObject({
    suggested_action: ERROR_CODES['auth.forbidden'].suggested_action,
  });
});
