import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { installedProgram } from '@catalog/testkit/packed-program';
import { startOidcProvider } from '@catalog/testkit/oidc-provider-server';
import { sendJson, startFakeServer, type FakeServer } from '@catalog/testkit/fake-server';
import { writeTree } from '@catalog/testkit/temporary-folder';
import { startTokenIssuer, TEST_AUDIENCE } from '@catalog/testkit/token-issuer';
import { newSigningKey, signToken } from '@catalog/testkit/signing-key';
import { startRegistry } from '@catalog/testkit/registry-server';
import { verifies } from '@catalog/testkit/verifies';
import { openPlace, signIn } from './sign-in.ts';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const SYNC = 'sync --harness harness-a';

function startEmpty(etag = '"1"'): Promise<FakeServer> {
  return startFakeServer((_request, response) =>
    sendJson(response, { artifacts: [], rejected: [] }, { headers: { etag } }),
  );
}

function bearers({ requests }: FakeServer): (string | undefined)[] {
  return [...new Set(requests.map(({ headers }) => headers.authorization))];
}

function openClone(registry: string): Workspace {
  const workspace = openWorkspace();
  writeTree(workspace.root, { '.catalog/sync.yaml': `defaults:\n  registry: ${registry}\n` });
  return workspace;
}

describe('a token is sent', () => {
  test('only to the origin for which it was issued, even if a clone names another one (T51)', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const otherRegistry = await startEmpty();
    const workspace = openClone(otherRegistry.url);
    await signIn(workspace, provider, env, 'alice');
    await workspace.ok(SYNC);
    expect(bearers(otherRegistry)).toEqual([undefined]);
  });

  test('from the environment only if the user named the registry (T51)', async () => {
    const registry = await startEmpty();
    const workspace = openClone(registry.url);
    const token = { CATALOG_TOKEN: 'secret' };
    const { code, error } = await workspace.error(SYNC, token);
    expect(code).toBe(2);
    expect(error.message).toContain(`CATALOG_TOKEN is not sent to ${registry.url}`);
    expect(error.suggested_action).toContain(`CATALOG_REGISTRY=${registry.url}`);
    expect(registry.requests).toEqual([]);

    await workspace.ok(SYNC, { ...token, CATALOG_REGISTRY: registry.url });
    expect(bearers(registry)).toEqual(['Bearer secret']);
    await workspace.ok(`${SYNC} --registry ${registry.url}`, token);
    expect(bearers(registry)).toEqual(['Bearer secret']);
    writeTree(workspace.home, { '.catalog/sync.yaml': `defaults:\n  registry: ${registry.url}\n` });
    await workspace.ok(SYNC, token);
    expect(bearers(registry)).toEqual(['Bearer secret']);
  });

  test('without following redirects of the registry', async () => {
    const otherRegistry = await startEmpty();
    const registry = await startFakeServer((_request, response) => {
      response.writeHead(307, { location: `${otherRegistry.url}/v1/sync/manifest` }).end();
    });
    const env = { CATALOG_REGISTRY: registry.url, CATALOG_TOKEN: 'secret' };
    const { error } = await openWorkspace().error(SYNC, env);
    expect(error.message).toContain('redirects callers');
    expect(otherRegistry.requests).toEqual([]);
  });

  test('over HTTPS, except to local addresses', async () => {
    const env = { CATALOG_REGISTRY: 'http://catalog.example.com', CATALOG_TOKEN: 'secret' };
    const { code, error } = await openWorkspace().error(SYNC, env);
    expect(code).toBe(2);
    expect(error.message).toContain('catalog did not send a token to http://catalog.example.com');
  });
});

describe('the cached manifest of a subject', () => {
  function tokenOf(sub: string): string {
    const part = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${part({ alg: 'none' })}.${part({ iss: 'https://idp.example.com', sub })}.x`;
  }

  test('is not used for another subject (T49)', async () => {
    const registry = await startEmpty();
    const workspace = openWorkspace();
    const env = (sub: string) => ({ CATALOG_REGISTRY: registry.url, CATALOG_TOKEN: tokenOf(sub) });
    const known = (): (string | undefined)[] =>
      registry.requests.splice(0).map(({ headers }) => headers['if-none-match']);
    await workspace.ok('outdated', env('alice'));
    expect(known()).toEqual([undefined]);
    await workspace.ok('outdated', env('alice'));
    expect(known()).toEqual(['"1"']);
    await workspace.ok('outdated', env('bob'));
    expect(known()).toEqual([undefined]);
    await workspace.ok('outdated', { CATALOG_REGISTRY: registry.url });
    expect(known()).toEqual([undefined]);
  });

  test('is removed with the sign-in', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const workspace = openWorkspace();
    await signIn(workspace, provider, env, 'alice');
    await workspace.ok(SYNC, env);
    const manifests = join(workspace.home, '.catalog/cache/manifests');
    expect(readdirSync(manifests)).toHaveLength(1);
    await workspace.ok('logout', env);
    expect(readdirSync(manifests)).toEqual([]);
  });
});

describe('the identity provider of a consumer', () => {
  verifies('ENV-05', 'accepts two values, with the device flow as the default', async () => {
    const registry = await startEmpty();
    const workspace = openWorkspace();
    const env = { CATALOG_REGISTRY: registry.url };
    const shown = await workspace.ok('config show --explain defaults.identity', env);
    expect(shown.stdout).toMatch(/effective +oauth-device-code +default/);
    const all = await workspace.ok('config show', { ...env, CATALOG_TOKEN: 'secret' });
    expect(all.stdout).toMatch(/identity\.token +\*\*\* +\$CATALOG_TOKEN/);
    expect(all.stdout).not.toContain('secret');
    for (const value of ['oauth-device-code', 'injected-session-token']) {
      await workspace.ok(SYNC, { ...env, CATALOG_IDENTITY_PROVIDER: value });
    }
    const { code, error } = await workspace.error(SYNC, {
      ...env,
      CATALOG_IDENTITY_PROVIDER: 'oidc-jwt',
    });
    expect(code).toBe(2);
    expect(error.message).toBe(
      'CATALOG_IDENTITY_PROVIDER is oidc-jwt, but must be `oauth-device-code` or `injected-session-token`.',
    );
  });

  verifies(
    'KEY-09',
    'injected-session-token sends the JWT that the runtime signed, and every new one',
    async () => {
      const runtime = await startRuntime();
      const workspace = openWorkspace();
      const env = {
        CATALOG_REGISTRY: runtime.url,
        CATALOG_IDENTITY_PROVIDER: 'injected-session-token',
      };
      const token = { ...env, CATALOG_SESSION_TOKEN: runtime.tokenOf('alice') };
      const { document } = await workspace.json('whoami', token);
      expect(document).toMatchObject({ subject: 'alice', source: 'CATALOG_SESSION_TOKEN' });

      const named = { ...env, CATALOG_SESSION_TOKEN_ENV: 'AGENT', AGENT: runtime.tokenOf('bob') };
      expect((await workspace.json('whoami', named)).document).toMatchObject({ subject: 'bob' });

      const file = join(workspace.home, 'token');
      writeFileSync(file, `${runtime.tokenOf('carol')}\n`);
      const filed = { ...token, CATALOG_SESSION_TOKEN_FILE: file };
      expect((await workspace.json('whoami', filed)).document).toMatchObject({ subject: 'carol' });

      const none = await workspace.run('whoami', env);
      expect(none.code).toBe(4);
      const { stdout } = await workspace.ok('login', env);
      expect(stdout).toContain('The runtime provides the token');
      expect(existsSync(join(workspace.home, '.catalog/credentials'))).toBe(false);
    },
  );
});

async function startRuntime(): Promise<{ url: string; tokenOf: (sub: string) => string }> {
  const key = await newSigningKey('ES256');
  const issuer = 'https://runtime.example.com';
  const folder = openWorkspace().home;
  const runtime_keys_path = join(folder, 'runtime-keys.json');
  const { public_key_pem } = key;
  writeFileSync(
    runtime_keys_path,
    JSON.stringify([{ issuer, algorithm: 'ES256', public_key_pem }]),
  );
  const server = await startRegistry({
    settings: {
      'identity_provider.type': 'injected-session-token',
      'identity_provider.audience': ['catalog'],
      'identity_provider.runtime_keys_path': runtime_keys_path,
    },
  });
  const exp = Math.floor(Date.now() / 1000) + 600;
  return {
    url: server.url,
    tokenOf: (sub) => signToken(key, { iss: issuer, aud: 'catalog', sub, act: issuer, exp }),
  };
}

const WORKLOAD = 'repo:acme/skills:ref:refs/heads/main';

/** Starts a registry that trusts a platform with workload tokens, and whose admin is one workload. */
async function startPlatform() {
  const issuer = await startTokenIssuer();
  const server = await startRegistry({
    settings: {
      'identity_provider.type': 'oidc-jwt',
      'identity_provider.issuer': issuer.issuer,
      'identity_provider.audience': [TEST_AUDIENCE],
      ca_file: issuer.ca_file,
      'egress.allowed_hosts': [new URL(issuer.issuer).host],
      bootstrap_admins: [WORKLOAD],
    },
  });
  return { issuer, server };
}

describe('a workload', () => {
  test('sends the token of its platform', async () => {
    const { issuer, server } = await startPlatform();
    const workspace = openWorkspace(skill('team/inner'));
    const token = issuer.mint({ sub: WORKLOAD });
    const env = { CI: 'true', CATALOG_REGISTRY: server.url, CATALOG_TOKEN: token };
    const { document } = await workspace.json('whoami', env);
    expect(document).toMatchObject({ source: 'CATALOG_TOKEN', admin: true, renewable: false });
    const register = `layer register team --local-path ${workspace.registry} --organization`;
    await workspace.ok(register, env);
    expect((await workspace.ok(SYNC, env)).stdout).toContain('1 added');
    const old = { ...env, CATALOG_TOKEN: issuer.mint({ exp: 1 }) };
    expect(await workspace.error(SYNC, old)).toMatchObject({
      code: 4,
      error: { code: 'auth.token_expired', message: 'The token in CATALOG_TOKEN has expired.' },
    });
  });

  test('can follow the page about CI', async () => {
    const { issuer, server } = await startPlatform();
    const audiences: (string | null)[] = [];
    // Simulates the token endpoint for a CI job.
    const runner = await startFakeServer(({ path, headers }, response) => {
      audiences.push(new URL(path, 'http://runner').searchParams.get('audience'));
      const isRunner = headers.authorization === 'bearer of the runner';
      sendJson(
        response,
        { value: issuer.mint({ sub: WORKLOAD }) },
        { status: isRunner ? 200 : 401 },
      );
    });
    const page = readFileSync(join(import.meta.dirname, '../../docs/guide/ci.md'), 'utf8');
    const [, script = ''] = /- name: sync\n {4}run: \|\n((?: {6}.*\n)+)/.exec(page) ?? [];
    expect(script).toContain('catalog sync --check');
    const { root, home } = openWorkspace();
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
      cwd: root,
      env: {
        PATH: `${join(installedProgram(), 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
        HOME: home,
        CATALOG_REGISTRY: server.url,
        ACTIONS_ID_TOKEN_REQUEST_URL: `${runner.url}/token?job=1`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of the runner',
      },
    });
    expect(stdout).toContain(WORKLOAD);
    expect(audiences).toEqual([server.url]);
  });
});
