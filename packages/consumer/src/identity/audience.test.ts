import { describe, expect, test } from 'vitest';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { loadConfig } from '../config/load-config.ts';
import { openNodeTransport } from '../source/node-transport.ts';
import { requireAudience } from './audience.ts';
import { findIssuer } from './find-issuer.ts';
import { signIn, type SignedIn } from './sign-in.ts';

const transport = openNodeTransport({});
const REAL = 'https://catalog.example.com';

function tokenFor(aud: unknown): string {
  const encode = (value: unknown): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode({ sub: 'alice', aud })}.signature`;
}

function startProvider(access_token: string): Promise<FakeServer> {
  return startFakeServer(({ path, headers }, response) => {
    const origin = `http://${headers.host}`;
    if (path.startsWith('/.well-known/')) {
      sendJson(response, {
        issuer: origin,
        token_endpoint: `${origin}/token`,
        device_authorization_endpoint: `${origin}/device`,
      });
    } else if (path === '/device') {
      sendJson(response, {
        device_code: 'd',
        user_code: 'ABCD-EFGH',
        verification_uri: `${origin}/confirm`,
        expires_in: 300,
        interval: 1,
      });
    } else {
      sendJson(response, { access_token, token_type: 'Bearer', expires_in: 60 });
    }
  });
}

function startRegistry(
  provider: FakeServer,
  audience: (origin: string) => string,
): Promise<FakeServer> {
  return startFakeServer(({ path, headers }, response) => {
    const origin = `http://${headers.host}`;
    if (path !== '/.well-known/oauth-protected-resource') {
      sendJson(response, { code: 'registry.not_found' }, { status: 404 });
      return;
    }
    sendJson(response, {
      resource: origin,
      authorization_servers: [provider.url],
      bearer_methods_supported: ['header'],
      scopes_supported: [],
      resource_name: 'catalog',
      catalog_client_id: 'catalog-cli',
      catalog_audience: audience(origin),
    });
  });
}

async function login(registry: FakeServer, audience?: string): Promise<SignedIn> {
  const home = temporaryFolder();
  const { identity } = loadConfig({ cwd: home, home, env: {}, flags: { registry: registry.url } });
  const issuer = await findIssuer(registry.url, { audience }, transport);
  if (issuer === undefined) throw new Error('no issuer');
  const options = { transport, store: 'file' as const, onCode: () => {}, onWait: () => {} };
  return signIn(registry.url, issuer, identity, options);
}

function tokensSent({ requests }: FakeServer): string[] {
  return requests.flatMap(({ headers }) => headers.authorization ?? []);
}

describe('audience that a registry advertises', () => {
  test.each([REAL, `${REAL}/v1`, 'catalog', 'api://catalog', 'http://127.0.0.1:1'])(
    'is not requested if the audience is %s, and no token is sent',
    async (advertised) => {
      const provider = await startProvider(tokenFor(REAL));
      const registry = await startRegistry(provider, () => advertised);
      await expect(login(registry)).rejects.toMatchObject({
        code: 'config.invalid',
        message: expect.stringContaining(`requests a token for "${advertised}"`),
        // A user who pastes the command must not get the audience that the registry chose.
        suggested_action: expect.stringContaining('catalog login --audience <audience>'),
      });
      expect(provider.requests.filter(({ path }) => path === '/device')).toEqual([]);
      expect(tokensSent(registry)).toEqual([]);
    },
  );

  test.each(['', '/', '/v1'])(
    'is requested if the audience matches the registry: %j',
    async (path) => {
      const provider = await startProvider('opaque');
      const registry = await startRegistry(provider, (origin) => `${origin}${path}`);
      await expect(findIssuer(registry.url, {}, transport)).resolves.toMatchObject({
        audience: `${registry.url}${path}`,
        is_audience_given: false,
      });
    },
  );

  test('is ignored if the user specifies an audience', async () => {
    const provider = await startProvider(tokenFor(REAL));
    const registry = await startRegistry(provider, () => 'whatever');
    await login(registry, REAL).catch(() => undefined);
    const device = provider.requests.find(({ path }) => path === '/device');
    expect(new URLSearchParams(device?.body).get('audience')).toBe(REAL);
    expect(tokensSent(registry)[0]).toBe(`Bearer ${tokenFor(REAL)}`);
  });
});

describe('provider that ignores the requested audience', () => {
  test.each([
    ['another registry', REAL, `for "${REAL}"`],
    ['a client', 'catalog-cli', 'for "catalog-cli"'],
    ['several others', [REAL, 'catalog-cli'], `for "${REAL}, catalog-cli"`],
    ['nothing at all', undefined, 'without an audience'],
  ])('a token issued for %s is not sent to the registry', async (_, aud, named) => {
    const provider = await startProvider(tokenFor(aud));
    for (const advertised of [(origin: string) => origin, () => '']) {
      const registry = await startRegistry(provider, advertised);
      await expect(login(registry)).rejects.toMatchObject({
        code: 'auth.exchange_failed',
        message: expect.stringContaining(`issued a token ${named}, not for the registry`),
        suggested_action: expect.stringContaining('--audience <audience>'),
      });
      expect(tokensSent(registry)).toEqual([]);
    }
  });

  test.each([
    ['the registry', REAL],
    ['a path of it', `${REAL}/api`],
    ['it and others', ['https://id.example.com/userinfo', `${REAL}/`]],
  ])('a token issued for %s is accepted', (_, aud) => {
    expect(() => requireAudience(tokenFor(aud), REAL)).not.toThrow();
  });
});
