import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startDex } from '@catalog/testkit/dex-server';
import { startOidcProvider, type OidcProviderServer } from '@catalog/testkit/oidc-provider-server';
import { startRegistry } from '@catalog/testkit/registry-server';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { freePort } from '../../tools/services/free-port.ts';
import { verifies } from '@catalog/testkit/verifies';
import { openPlace, pendingCode, signIn } from './sign-in.ts';
import { hasTerminal, runInTerminal } from './terminal.ts';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

const PROVIDERS = { 'oidc-provider': startOidcProvider, Dex: startDex } as const;

function credentials({ home }: Workspace): { folder: string; file: string } {
  const folder = join(home, '.catalog/credentials');
  const [name = ''] = readdirSync(folder).filter((entry) => entry.endsWith('.json'));
  return { folder, file: join(folder, name) };
}

/** Changes a stored sign-in to simulate expiry or revocation. */
function change(workspace: Workspace, members: Record<string, unknown>): void {
  const { file } = credentials(workspace);
  const kept: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...kept, ...members }));
}

function refreshesOf({ exchanges }: OidcProviderServer): string[] {
  return exchanges
    .filter((form) => form.get('grant_type') === 'refresh_token')
    .map((form) => form.get('refresh_token') ?? '');
}

/** Simulates a display: the command that opens a browser records its arguments. */
function openBrowserRecorder() {
  const folder = temporaryFolder('catalog-screen-');
  const file = join(folder, 'opened');
  writeTree(folder, {
    'bin/xdg-open': { x: `#!/bin/sh\n{ echo "$1"; env; } > ${file}.new\nmv ${file}.new ${file}\n` },
  });
  const PATH = `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`;
  return { env: { DISPLAY: ':0', PATH }, read: () => readFileSync(file, 'utf8') };
}

describe.each(Object.entries(PROVIDERS))('sign-in with %s', (_name, startProvider) => {
  verifies(
    ['CLI-20', 'CLI-21'],
    'with a code confirmed in a browser gives access to the layers of the organization, until logout',
    async () => {
      const provider = await startProvider();
      const { server, env } = await openPlace(provider);
      const workspace = openWorkspace(skill('team/inner'));

      const running = workspace.start('login --store file', env);
      const [, address = ''] = await running.waitFor('stderr', /open\n {2}(https:\S+)/);
      await running.waitFor('stderr', /confirm the code [A-Z0-9]{4}-?[A-Z0-9]{4}/);
      const [, ...shown] = await running.waitFor(
        'stderr',
        /issuer +(\S+)\n +audience +(\S+)\n +registry +(\S+)/,
      );
      expect(shown).toEqual([provider.issuer, provider.audience[0], server.url]);
      await provider.approveDevice(address, 'alice');
      const ended = await running.ended;
      expect(ended.stdout).toBe(
        `Signed in to ${server.url} as alice (admin)\nToken stored in a file only you can read, refreshed automatically\n`,
      );

      const { folder, file } = credentials(workspace);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(file).mode & 0o777).toBe(0o600);

      const register = `layer register team --local-path ${workspace.registry} --organization`;
      await workspace.ok(register, env);
      const sync = 'sync --harness harness-a';
      expect((await workspace.ok(sync, env)).stdout).toContain('1 added');
      expect((await workspace.ok('search', env)).stdout).toContain('team/inner');
      expect((await workspace.ok('status', env)).stdout).toMatch(/signed in +as alice, token from/);
      const { document } = await workspace.json('whoami', env);
      expect(document).toMatchObject({
        registry: server.url,
        subject: 'alice',
        email: 'alice@example.com',
        admin: true,
        source: 'file',
      });

      await workspace.ok('logout', env);
      expect(existsSync(file)).toBe(false);
      expect(await workspace.json('whoami', env)).toMatchObject({
        code: 4,
        document: { signed_in: false },
      });
      // A sync after logout does not remove files without confirmation (SPEC-73).
      const kept = await workspace.error(sync, env);
      expect(kept).toMatchObject({ code: 4, error: { code: 'auth.identity_changed' } });
      const accepted = await workspace.ok(`${sync} --accept-identity`, env);
      expect(accepted.stdout).toContain('1 removed');
      const refused = await workspace.error('layer remove team', env);
      expect(refused).toMatchObject({ code: 4, error: { code: 'auth.forbidden' } });
      expect(refused.error.suggested_action).toContain('catalog login');
    },
  );

  verifies('KEY-03', 'refreshes an expired token without a prompt', async () => {
    const provider = await startProvider();
    const { env } = await openPlace(provider);
    const workspace = openWorkspace();
    await signIn(workspace, provider, env, 'bob');
    const { file } = credentials(workspace);
    const before = readFileSync(file, 'utf8');
    change(workspace, { expires_at: 1 });
    const { stdout, stderr } = await workspace.ok('whoami', env);
    expect(stdout).toMatch(/subject +bob/);
    expect(stderr).toBe('');
    const after: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    expect(after['expires_at']).toBeGreaterThan(Date.now() / 1000);
    expect(after['access_token']).not.toBe(JSON.parse(before).access_token);
  });
});

describe('a token refresh', () => {
  test('sends one request, even if several processes need it', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const workspace = openWorkspace();
    await signIn(workspace, provider, env, 'alice');
    change(workspace, { expires_at: 1 });
    const runs = Array.from({ length: 5 }, () => workspace.json('whoami', env));
    const documents = (await Promise.all(runs)).map(({ document }) => document['subject']);
    expect(documents).toEqual(Array.from({ length: 5 }, () => 'alice'));
    expect(refreshesOf(provider)).toHaveLength(1);
  });

  test('uses the rotated refresh token', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const workspace = openWorkspace();
    await signIn(workspace, provider, env, 'alice');
    for (let round = 0; round < 3; round += 1) {
      change(workspace, { expires_at: 1 });
      await workspace.ok('whoami', env);
    }
    expect(new Set(refreshesOf(provider)).size).toBe(3);
  });

  test('rejected by the provider ends the sign-in, and prints the next step', async () => {
    const provider = await startOidcProvider();
    const { server, env } = await openPlace(provider);
    const workspace = openWorkspace();
    await signIn(workspace, provider, env, 'alice');
    change(workspace, { expires_at: 1, refresh_token: 'of somebody else' });
    const { code, error } = await workspace.error('layer list', env);
    expect(code).toBe(4);
    expect(error).toMatchObject({
      code: 'auth.token_expired',
      message: `The sign-in to ${server.url} has expired.`,
    });
    expect(error.suggested_action).toContain('catalog login');
    expect(await workspace.json('whoami', env)).toMatchObject({ document: { signed_in: false } });
  });

  test('without a response does not fail commands while the token is valid', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const workspace = openWorkspace();
    await signIn(workspace, provider, env, 'alice');
    provider.overrideResponse = (incoming, response) => {
      if (incoming.url !== '/token') return false;
      response.writeHead(503).end();
      return true;
    };
    change(workspace, { expires_at: Math.floor(Date.now() / 1000) + 20 });
    expect((await workspace.json('whoami', env)).document).toMatchObject({ subject: 'alice' });
    change(workspace, { expires_at: 1 });
    const { error } = await workspace.error('whoami', env);
    expect(error.message).toContain('Cannot refresh the sign-in');
  });
});

describe('the first use of a registry', () => {
  verifies(
    'KEY-01',
    'starts the sign-in in a terminal, and then continues with the command',
    async ({ skip }) => {
      if (!hasTerminal) skip('needs script(1)');
      const provider = await startOidcProvider();
      const { env } = await openPlace(provider);
      const workspace = openWorkspace();
      const terminal = { ...workspace, cwd: workspace.root };
      const file = { ...env, CATALOG_TOKEN_STORE: 'file' };
      const { screen, code } = await runInTerminal('whoami', [], {
        ...terminal,
        env: { ...file, CATALOG_TOKEN: 'x' },
      });
      expect(screen).not.toContain('To sign in');
      expect(code).toBe(4);
      const first = await runInTerminal(
        'layer list',
        [
          {
            to: /(https:\S+user_code=[A-Z-]+)/,
            keys: '',
            act: ([address]) => provider.approveDevice(address, 'bob'),
          },
        ],
        { ...terminal, env: file },
      );
      expect(first.screen).toContain('Signed in as bob');
      expect(first.code).toBe(0);
      const second = await runInTerminal('layer list', [], { ...terminal, env: file });
      expect(second.screen).not.toContain('To sign in');
      expect(second.code).toBe(0);
    },
  );

  test('prompts first if only a file of the workspace names the registry', async ({ skip }) => {
    if (!hasTerminal) skip('needs script(1)');
    const provider = await startOidcProvider();
    const { server, env } = await openPlace(provider);
    const opened = openBrowserRecorder();
    const workspace = openWorkspace();
    writeTree(workspace.root, { '.catalog/sync.yaml': `defaults:\n  registry: ${server.url}\n` });
    const { CATALOG_REGISTRY: _named, ...rest } = env;
    const place = {
      home: workspace.home,
      cwd: workspace.root,
      env: { ...rest, ...opened.env, CATALOG_TOKEN_STORE: 'file' },
    };
    const declined = await runInTerminal('sync', [{ to: /Sign in\?/, keys: 'n' }], place);
    expect(declined.screen).toContain('.catalog/sync.yaml names the registry');
    expect(declined.screen).not.toContain('To sign in');
    expect(declined.code).toBe(0);

    const accepted = await runInTerminal(
      'sync',
      [
        { to: /Sign in\?/, keys: 'y' },
        {
          to: /(https:\S+user_code=[A-Z-]+)/,
          keys: '',
          act: ([address]) => provider.approveDevice(address, 'bob'),
        },
      ],
      place,
    );
    expect(accepted.screen).toMatch(/Waiting for confirmation in the browser, \d+:\d\d left/);
    expect(accepted.screen).toContain('Signed in as bob');
    // The browser received only the URL, and no secret of this program.
    const seen = opened.read();
    expect(seen).toContain(`${provider.issuer}/device?user_code=`);
    expect(seen).not.toContain('CATALOG_');
  });

  test('continues without a sign-in if there is no terminal', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const { stdout } = await openWorkspace().ok('layer list', env);
    expect(stdout).not.toContain('To sign in');
    expect(provider.requests.filter((request) => request.includes('/device'))).toEqual([]);
  });
});

describe('catalog login', () => {
  test('prints the pending code as one JSON line in addition to the result', async () => {
    const provider = await startOidcProvider();
    const { server, env } = await openPlace(provider);
    const running = openWorkspace().start('login --json --store file', env);
    const pending = await pendingCode(running);
    expect(pending).toMatchObject({
      event: 'auth.device_code_pending',
      registry: server.url,
      verification_uri: `${provider.issuer}/device`,
      issuer: provider.issuer,
      audience: provider.audience[0],
      expires_in: 600,
    });
    running.signal('SIGINT');
    const { code, stdout } = await running.ended;
    expect(code).toBe(130);
    expect(stdout).toBe('');
  });

  test('requests the URL of the registry as the audience only if the provider expects it', async () => {
    const bind = `127.0.0.1:${await freePort()}`;
    const provider = await startOidcProvider({ audience: `http://${bind}` });
    const { env } = await openPlace(provider, { bind });
    const { CATALOG_OAUTH_AUDIENCE: _, ...withoutAudience } = env;
    const signedIn = await signIn(openWorkspace(), provider, withoutAudience, 'alice');
    expect(signedIn).toMatchObject({ subject: 'alice' });

    const other = await startOidcProvider();
    const place = await openPlace(other);
    const { CATALOG_OAUTH_AUDIENCE: audience, ...unnamed } = place.env;
    const refused = await openWorkspace().error('login --store file', unnamed);
    expect(refused).toMatchObject({ code: 2, error: { code: 'config.invalid' } });
    expect(refused.error.message).toContain(`requests a token for "${audience}"`);
    expect(refused.error.suggested_action).toContain('catalog login --audience <audience>');
    expect(other.requests.filter((request) => request.includes('/device'))).toEqual([]);
  });

  test('does nothing for a folder, or for a registry without authentication', async () => {
    const workspace = openWorkspace();
    const folder = await workspace.ok(`login --registry ${workspace.registry}`);
    expect(folder.stdout).toMatch(/^The registry is the folder .*, which needs no sign-in\.$/m);
    const server = await startRegistry();
    const open = await workspace.ok(`login --registry ${server.url}`);
    expect(open.stdout).toBe(`The registry at ${server.url} needs no sign-in.\n`);
    const who = await workspace.ok(`whoami --registry ${server.url}`);
    expect(who.stdout).toBe(open.stdout);
  });

  test('accepts an operator without a tenant', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider, {
      multi_tenant: true,
      bootstrap_admins: ['acme=alice'],
      operator_admins: ['bob'],
    });
    const workspace = openWorkspace();
    const signedIn = await signIn(workspace, provider, env, 'bob');
    expect(signedIn).toMatchObject({ subject: 'bob', admin: false, operator: true });
    expect((await workspace.ok('whoami', env)).stdout).toMatch(/^role +operator$/m);
    expect((await workspace.ok('admin tenant list', env)).stdout).toMatch(/^acme +active/m);
  });

  test('reports that the identity provider is unavailable, and does not blame the client', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const away = 'login --store file --issuer https://127.0.0.1:1';
    const { error } = await openWorkspace().error(away, env);
    expect(error.message).toContain('connection refused');
    expect(error.suggested_action).toContain('Check the network');
    const { NODE_EXTRA_CA_CERTS: _, ...untrusting } = env;
    const unknown = await openWorkspace().error('login --store file', untrusting);
    expect(unknown.error.suggested_action).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('reports a missing keychain before the user confirms, and suggests --store file', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const none = { ...env, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
    const { code, error } = await openWorkspace().error('login', none);
    expect(code).toBe(2);
    expect(error.message).toContain('The keychain of this machine is unavailable');
    expect(error.suggested_action).toContain('catalog login --store file');
    expect(provider.requests.filter((request) => request.includes('/device'))).toEqual([]);
  });

  test('accepts endpoints, client and scopes from flags', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const workspace = openWorkspace();
    const device = {
      ...env,
      CATALOG_OAUTH_AUTHORIZATION_ENDPOINT: provider.device_authorization_endpoint,
      CATALOG_OAUTH_TOKEN_URL: provider.token_endpoint,
      CATALOG_OAUTH_SCOPES: 'openid',
    };
    const signedIn = await signIn(workspace, provider, device, 'bob');
    // Without the scope for it, the provider issues no refresh token.
    expect(signedIn).toMatchObject({ subject: 'bob', renewable: false });
    expect(provider.requests.filter((request) => request.includes('.well-known'))).toHaveLength(
      discoveredByRegistry(provider),
    );
    const unknown = await workspace.error('login --store file --client-id nobody', env);
    expect(unknown).toMatchObject({ code: 4, error: { code: 'auth.exchange_failed' } });
    expect(unknown.error.message).toContain('invalid_client');
  });

  test('rejects URLs without encryption', async () => {
    const { error } = await openWorkspace().error(
      'login --store file --registry http://127.0.0.1:9 --issuer http://idp.example.com',
    );
    expect(error.message).toContain('a sign-in requires an https URL');
  });

  test('reports a rejection in the browser', async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const running = openWorkspace().start('login --json --store file', env);
    await pendingCode(running);
    provider.overrideResponse = (incoming, response) => {
      if (incoming.url !== '/token') return false;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'access_denied' }));
      return true;
    };
    const { code, stdout } = await running.ended;
    expect(code).toBe(4);
    expect(JSON.parse(stdout).error.message).toBe('The sign-in was denied in the browser.');
  });
});

function discoveredByRegistry({ requests }: OidcProviderServer): number {
  const first = requests.findIndex((request) => request.startsWith('POST'));
  return requests.slice(0, first).filter((request) => request.includes('.well-known')).length;
}

verifies(
  'CLI-30',
  'a member who registers an organization layer gets the complete error',
  async () => {
    const provider = await startOidcProvider();
    const { env } = await openPlace(provider);
    const workspace = openWorkspace();
    await signIn(workspace, provider, env, 'bob');
    const words =
      'layer register ours --repo https://git.example.com/ours.git --public --group all';
    const { code, error } = await workspace.error(words, env);
    expect(code).toBe(4);
    expect(error).toMatchObject({
      code: 'auth.forbidden',
      details: { constraint: 'admin_only_fields' },
    });
    const { stderr } = await workspace.run(words, env);
    expect(stderr).toContain('code: auth.forbidden');
  },
);
