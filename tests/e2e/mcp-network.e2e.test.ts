import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { createCertificateAuthority } from '@catalog/testkit/certificate-authority';
import { startOidcProvider } from '@catalog/testkit/oidc-provider-server';
import { sendJson, startFakeServer } from '@catalog/testkit/fake-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openProject, type Project } from './mcp-host.ts';
import { addressIn, hostOf, idsOf, INNER, openOrganization, SEARCH } from './mcp-sign-in.ts';
import { until } from './until.ts';

const METADATA = '/.well-known/oauth-protected-resource';
const NOTHING = { query: '', total_matched: 0, results: [] };

function createNetworkLog({ home }: Project) {
  const NETWORK_LOG = join(home, 'network.log');
  const NODE_OPTIONS = `--require=${join(import.meta.dirname, 'preload/note-connections.cjs')}`;
  return {
    env: { NETWORK_LOG, NODE_OPTIONS },
    read: () =>
      existsSync(NETWORK_LOG)
        ? new Set(readFileSync(NETWORK_LOG, 'utf8').trim().split('\n'))
        : new Set<string>(),
  };
}

async function listenHere(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return port;
}

/** Starts a proxy that forwards every tunnel to one port and records the requested hosts. */
async function startProxy(port: number): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const proxy = createHttpServer().on('connect', ({ url = '' }, socket) => {
    tunnels.push(url);
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  return { url: `http://127.0.0.1:${await listenHere(proxy)}`, tunnels };
}

describe('network access of catalog-mcp', () => {
  test('is limited to the registry, and to the identity provider during a sign-in', async () => {
    const provider = await startOidcProvider();
    const env = await openOrganization(provider);
    const project = openProject();
    const { env: notes, read } = createNetworkLog(project);
    const registry = `connect ${new URL(env['CATALOG_REGISTRY'] ?? '').host}`;
    const issuer = `connect ${new URL(provider.issuer).host}`;

    const first = await hostOf({ ...env, ...notes }, { ...project, roots: [project.root] });
    // Before the first call, catalog-mcp only asks the registry if it requires a sign-in.
    await until('the registry was asked', () => read().size > 0);
    await first.client.listTools();
    expect(read()).toEqual(new Set([registry]));
    await provider.approveDevice(addressIn(await first.call(SEARCH)), 'bob');
    await until('somebody is signed in', () => first.stderr().includes('signed in as bob'));
    expect(idsOf(await first.call(SEARCH))).toEqual([INNER]);
    expect(read()).toEqual(new Set([registry, issuer]));

    writeFileSync(notes.NETWORK_LOG, '');
    const second = await hostOf({ ...env, ...notes }, { ...project, roots: [project.root] });
    for (const tool of [SEARCH, 'search_domains', 'load_domain']) await second.call(tool);
    await second.call('load_artifact', { id: INNER });
    expect(read()).toEqual(new Set([registry]));
  });

  test('before the first call is limited to a registry that the user named', async () => {
    const named = await startFakeServer((_, response) => sendJson(response, {}, { status: 404 }));
    const cloned = await startFakeServer((_, response) => sendJson(response, {}, { status: 404 }));
    const clone = openProject({ '.catalog/sync.yaml': `defaults:\n  registry: ${cloned.url}\n` });
    await hostOf({}, clone);
    await hostOf({ CATALOG_REGISTRY: cloned.url, CATALOG_CACHE_MODE: 'offline-only' });
    // Started last: by the time it has sent a request, the others would have too.
    await hostOf({ CATALOG_REGISTRY: named.url });
    await until('the registry was asked', () => named.requests.length > 0);
    expect(named.requests.map(({ path }) => path)).toEqual([METADATA]);
    expect(named.requests[0]?.headers.authorization).toBeUndefined();
    expect(cloned.requests).toEqual([]);
  });

  test('uses the proxy and the certificate authorities of the environment', async () => {
    const authority = await createCertificateAuthority();
    const certificate = await authority.issue(['registry.test']);
    const registry = createHttpsServer(certificate, ({ url = '' }, response) => {
      const isSearch = url.startsWith('/v1/search_artifacts');
      sendJson(response, isSearch ? NOTHING : {}, { status: isSearch ? 200 : 404 });
    });
    const port = await listenHere(registry);
    const { url, tunnels } = await startProxy(port);
    const project = openProject();
    const env = {
      CATALOG_REGISTRY: 'https://registry.test',
      NODE_EXTRA_CA_CERTS: authority.writeCert(project.home),
      HTTPS_PROXY: url,
    };
    expect(idsOf(await (await hostOf(env, project)).call(SEARCH))).toEqual([]);
    expect(new Set(tunnels)).toEqual(new Set(['registry.test:443']));

    const { NODE_EXTRA_CA_CERTS: _, ...untrusting } = env;
    const distrusted = await (await hostOf(untrusting, project)).call(SEARCH);
    expect(JSON.stringify(distrusted.structuredContent)).toContain('NODE_EXTRA_CA_CERTS');

    // A separate proxy, because the previous servers may retry at any time.
    const unused = await startProxy(port);
    const sparing = { ...env, HTTPS_PROXY: unused.url, NO_PROXY: 'registry.test' };
    const spared = await hostOf(sparing, project);
    expect((await spared.call(SEARCH)).isError).toBe(true);
    expect(unused.tunnels).toEqual([]);
  });
});

test('catalog-mcp sends the new token after the runtime has replaced it in its file', async () => {
  const registry = await startFakeServer(({ path }, response) =>
    sendJson(response, path.startsWith('/v1/search_artifacts') ? NOTHING : {}),
  );
  const project = openProject();
  const file = join(project.home, 'token');
  writeFileSync(file, 'first');
  const { call } = await hostOf(
    {
      CATALOG_REGISTRY: registry.url,
      CATALOG_IDENTITY_PROVIDER: 'injected-session-token',
      CATALOG_SESSION_TOKEN_FILE: file,
    },
    project,
  );
  for (const token of ['first', 'second', 'third']) {
    writeFileSync(file, `${token}\n`);
    await call(SEARCH);
    expect(registry.requests.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  }
  expect(registry.requests.every(({ path }) => path.startsWith('/v1/search_artifacts'))).toBe(true);
});
