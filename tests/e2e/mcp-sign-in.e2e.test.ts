import { setTimeout as delay } from 'node:timers/promises';
import { startKeychain } from '@catalog/testkit/keychain-session';
import { startOidcProvider, type OidcProviderServer } from '@catalog/testkit/oidc-provider-server';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import { initialize, openProject, runRaw } from './mcp-host.ts';
import {
  addressIn,
  hostOf,
  idsOf,
  INNER,
  keptSignIn,
  openOrganization,
  SEARCH,
  untilSignedIn,
} from './mcp-sign-in.ts';

/** Much shorter than a user needs, or than a code is valid. */
const MAX_EXIT_MS = 6_000;

function deviceStarts({ requests }: OidcProviderServer): number {
  return requests.filter((request) => request === 'POST /device/auth').length;
}

function issueDeviceCodes(provider: OidcProviderServer, expires_in: number, error: string): void {
  let codes = 0;
  provider.overrideResponse = (incoming, response) => {
    const isStart = incoming.url === '/device/auth';
    if (!isStart && incoming.url !== '/token') return false;
    const verification_uri = `${provider.issuer}/device`;
    const user_code = `AAAA-AAA${'ABCDEFGH'.charAt(codes)}`;
    const verification_uri_complete = `${verification_uri}?user_code=${user_code}`;
    if (isStart) codes += 1;
    response.writeHead(isStart ? 200 : 400, { 'content-type': 'application/json' });
    const code = { device_code: 'x', user_code, verification_uri, verification_uri_complete };
    response.end(JSON.stringify(isStart ? { ...code, expires_in, interval: 1 } : { error }));
    return true;
  };
}

describe('a sign-in over MCP', () => {
  test('is stored in the keychain, where the next server finds it', async () => {
    const provider = await startOidcProvider();
    const keychain = await startKeychain();
    const { CATALOG_TOKEN_STORE: _, ...place } = await openOrganization(provider);
    const env = { ...place, ...keychain.env };
    const project = openProject();
    const first = await hostOf(env, project);
    await provider.approveDevice(addressIn(await first.call(SEARCH)), 'bob');
    await untilSignedIn(() => first.call(SEARCH));
    expect(await keychain.list('catalog')).toHaveLength(2);
    expect(keptSignIn(project).kept).not.toHaveProperty('access_token');
    expect(idsOf(await (await hostOf(env, project)).call(SEARCH))).toEqual([INNER]);
  });

  test('does not start if its token could not be stored', async () => {
    const provider = await startOidcProvider();
    const { CATALOG_TOKEN_STORE: _, ...place } = await openOrganization(provider);
    const before = deviceStarts(provider);
    const { call } = await hostOf({ ...place, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' });
    const { isError, structuredContent } = await call(SEARCH);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      code: 'config.invalid',
      suggested_action: expect.stringContaining('catalog login --store file'),
    });
    expect(deviceStarts(provider)).toBe(before);
  });

  test('reports a rejection once; the next call starts another sign-in', async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    issueDeviceCodes(provider, 600, 'access_denied');
    const { call } = await hostOf(env);
    const first = addressIn(await call(SEARCH));
    await delay(1_500);
    const { isError, structuredContent } = await call(SEARCH);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      code: 'auth.exchange_failed',
      message: 'The sign-in was denied in the browser.',
    });
    expect(addressIn(await call(SEARCH))).not.toBe(first);
  });

  test('expires with its code, and the next call starts another', async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    issueDeviceCodes(provider, 2, 'authorization_pending');
    const { call } = await hostOf(env);
    const first = addressIn(await call(SEARCH));
    expect(addressIn(await call(SEARCH))).toBe(first);
    await delay(2_500);
    expect(addressIn(await call(SEARCH))).not.toBe(first);
  });

  test("of one server process serves the user's other ones", async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    const project = openProject();
    const hosts = [await hostOf(env, project), await hostOf(env, project)] as const;
    const [first, second] = [await hosts[0].call(SEARCH), await hosts[1].call(SEARCH)];
    expect(addressIn(second)).not.toBe(addressIn(first));
    const before = deviceStarts(provider);
    await provider.approveDevice(addressIn(first), 'bob');
    await untilSignedIn(() => hosts[0].call(SEARCH));
    expect(idsOf(await hosts[1].call(SEARCH))).toEqual([INNER]);
    expect(deviceStarts(provider)).toBe(before);
    await delay(1_500);
    const exchangeCount = provider.exchanges.length;
    await delay(6_000);
    expect(provider.exchanges).toHaveLength(exchangeCount);
  });

  test('does not delay the exit of the process', async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    const search = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: SEARCH } };
    const started = Date.now();
    const lines = [
      initialize('2025-11-25'),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      search,
    ];
    const { code, messages } = await runRaw(lines, { ...openProject(), env });
    expect(Date.now() - started).toBeLessThan(MAX_EXIT_MS);
    expect(code).toBe(0);
    expect(messages.at(-1)).toMatchObject({ id: 2, result: { isError: true } });
  });

  test('is refreshed without a prompt after expiry; after revocation, a new one starts', async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    const project = openProject();
    const first = await hostOf(env, project);
    await provider.approveDevice(addressIn(await first.call(SEARCH)), 'bob');
    await untilSignedIn(() => first.call(SEARCH));
    keptSignIn(project).change({ expires_at: 1 });
    const second = await hostOf(env, project);
    expect(idsOf(await second.call(SEARCH))).toEqual([INNER]);
    expect(second.stderr()).not.toContain('to sign in');
    keptSignIn(project).change({ expires_at: 1, refresh_token: 'of somebody else' });
    const third = await hostOf(env, project);
    addressIn(await third.call(SEARCH));
  });

  test.each([true, false])(
    'to a registry named by a clone needs a host with URL support: %s',
    async (supportsUrls) => {
      const provider = await startOidcProvider();
      const { CATALOG_REGISTRY: url = '', ...env } = await openOrganization(provider);
      const project = openProject();
      writeTree(project.root, { '.catalog/sync.yaml': `defaults:\n  registry: ${url}\n` });
      const messages: string[] = [];
      const visits = async (address: string, message: string) => {
        messages.push(message);
        await provider.approveDevice(address, 'bob');
        return 'accept' as const;
      };
      const { call } = await hostOf(env, { ...project, ...(supportsUrls ? { visits } : {}) });
      expect(idsOf(await call(SEARCH))).toEqual(supportsUrls ? [INNER] : []);
      if (supportsUrls) expect(messages[0]).toMatch(/, which only \S+sync\.yaml names: /);
    },
  );
});
