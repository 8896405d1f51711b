import { describe, expect, test } from 'vitest';
import type { Transport } from '@catalog/sdk/transport';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import { openNodeTransport } from '../source/node-transport.ts';
import { signInByDevice, type DeviceCode } from './device-flow.ts';
import { findIssuer } from './find-issuer.ts';
import type { StoredTokens } from './stored-tokens.ts';

const transport = openNodeTransport({});
const TOKENS = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 60 };

function startProvider(...responses: (Record<string, unknown> | string)[]): Promise<FakeServer> {
  return startFakeServer(({ path, headers }, response) => {
    const origin = `http://127.0.0.1:${new URL(`http://${headers.host}`).port}`;
    if (path.endsWith('oauth-authorization-server')) {
      sendJson(response, {
        issuer: origin,
        token_endpoint: `${origin}/token`,
        device_authorization_endpoint: `${origin}/device`,
        scopes_supported: ['openid', 'offline_access'],
      });
    } else if (path === '/device') {
      sendJson(response, {
        device_code: 'd',
        user_code: 'ABCD-EFGH',
        verification_uri: `${origin}/confirm`,
        expires_in: 300,
        interval: 1,
      });
    } else if (path !== '/token') {
      sendJson(response, { error: 'not_found' }, { status: 404 });
    } else {
      const answer = responses.shift() ?? 'expired_token';
      if (answer === 'away') response.destroy();
      else if (typeof answer === 'string') sendJson(response, { error: answer }, { status: 400 });
      else sendJson(response, answer);
    }
  });
}

async function signIn(
  provider: FakeServer,
  signal?: AbortSignal,
): Promise<{ tokens: StoredTokens; codes: DeviceCode[]; waits: number[] }> {
  const settings = { issuer: provider.url, audience: 'https://catalog.example.com' };
  const issuer = await findIssuer(provider.url, settings, transport);
  if (issuer === undefined) throw new Error('no issuer');
  const codes: DeviceCode[] = [];
  const waits: number[] = [];
  const tokens = await signInByDevice(
    issuer,
    { transport, onCode: (code) => codes.push(code), onWait: (left) => waits.push(left) },
    signal,
  );
  return { tokens, codes, waits };
}

function tokenRequests({ requests }: FakeServer): URLSearchParams[] {
  return requests
    .filter(({ path }) => path === '/token')
    .map(({ body }) => new URLSearchParams(body));
}

describe('device flow', () => {
  test('polls at the permitted interval until the code is confirmed', async () => {
    const provider = await startProvider('authorization_pending', 'slow_down', TOKENS);
    const started = Date.now();
    const { tokens, codes, waits } = await signIn(provider);
    // Two waits of one second, then one that `slow_down` extends by five.
    expect(Date.now() - started).toBeGreaterThanOrEqual(7_900);
    expect(codes).toEqual([
      {
        issuer: provider.url,
        audience: 'https://catalog.example.com',
        address: `${provider.url}/confirm`,
        complete_address: undefined,
        user_code: 'ABCD-EFGH',
        expires_in: 300,
      },
    ]);
    expect(waits[0]).toBe(300);
    expect(waits.length).toBeGreaterThanOrEqual(7);
    expect(tokens).toMatchObject({
      access_token: 'a',
      refresh_token: 'r',
      issuer: provider.url,
      client_id: 'catalog-cli',
      resource: 'https://catalog.example.com',
    });
    const device_request = new URLSearchParams(
      provider.requests.find(({ path }) => path === '/device')?.body ?? '',
    );
    expect(Object.fromEntries(device_request)).toEqual({
      client_id: 'catalog-cli',
      scope: 'openid offline_access',
      audience: 'https://catalog.example.com',
      resource: 'https://catalog.example.com',
    });
    expect(tokenRequests(provider)).toHaveLength(3);
    expect(Object.fromEntries(tokenRequests(provider)[0] ?? [])).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'd',
      client_id: 'catalog-cli',
      resource: 'https://catalog.example.com',
    });
  });

  test.each([
    ['access_denied', 'The sign-in was denied in the browser.'],
    ['expired_token', 'The sign-in was not confirmed in time.'],
    ['invalid_client', 'failed: the identity provider reports "invalid_client".'],
  ])('reports the reason if the sign-in ends with %s', async (answer, message) => {
    const provider = await startProvider(answer);
    await expect(signIn(provider)).rejects.toMatchObject({
      code: 'auth.exchange_failed',
      message: expect.stringContaining(message),
    });
  });

  test('continues after a temporary failure of the provider', async () => {
    const provider = await startProvider('away', TOKENS);
    expect((await signIn(provider)).tokens).toMatchObject({ access_token: 'a' });
  });

  test('stops if its signal is aborted', async () => {
    const provider = await startProvider('authorization_pending');
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('stopped')), 100);
    await expect(signIn(provider, stop.signal)).rejects.toThrow('stopped');
    expect(tokenRequests(provider)).toEqual([]);
  });
});

describe('issuer of a registry', () => {
  function startMetadata(
    members: (origin: string) => Record<string, unknown>,
  ): Promise<FakeServer> {
    return startFakeServer(({ headers }, response) =>
      sendJson(response, {
        resource: `http://${headers.host}`,
        authorization_servers: [],
        bearer_methods_supported: ['header'],
        scopes_supported: [],
        resource_name: 'catalog',
        catalog_client_id: 'its-client',
        catalog_audience: `http://${headers.host}/its-audience`,
        ...members(`http://${headers.host}`),
      }),
    );
  }

  test('is the authorization server in the metadata, with client and audience', async () => {
    const provider = await startProvider();
    const registry = await startMetadata(() => ({ authorization_servers: [provider.url] }));
    expect(await findIssuer(registry.url, {}, transport)).toMatchObject({
      name: provider.url,
      client_id: 'its-client',
      audience: `${registry.url}/its-audience`,
      server: { token_endpoint: `${provider.url}/token` },
    });
  });

  test('is undefined if the metadata lists none', async () => {
    const registry = await startMetadata(() => ({}));
    expect(await findIssuer(registry.url, {}, transport)).toBeUndefined();
  });

  test('is not accepted from a registry whose metadata has another resource URL', async () => {
    const registry = await startMetadata(() => ({ resource: 'https://catalog.example.com' }));
    await expect(findIssuer(registry.url, {}, transport)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('identifies itself as "https://catalog.example.com"'),
      suggested_action: expect.not.stringContaining('catalog.example.com'),
    });
  });

  test('must not be on this machine unless the registry is', async () => {
    const registry = 'https://catalog.example.com';
    const metadata = await startMetadata(() => ({
      resource: registry,
      authorization_servers: ['http://127.0.0.1:9'],
    }));
    const local: Transport = (request) =>
      transport({ ...request, url: request.url.replace(registry, metadata.url) });
    await expect(findIssuer(registry, {}, local)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('which is this machine'),
    });
  });

  test('must have the issuer URL from which its metadata was read', async () => {
    const provider = await startProvider();
    const other = provider.url.replace('127.0.0.1', 'localhost');
    await expect(findIssuer(provider.url, { issuer: other }, transport)).rejects.toMatchObject({
      code: 'auth.exchange_failed',
      message: expect.stringContaining('does not match'),
    });
  });
});
