import { describe, expect, test } from 'vitest';
import { listAdmins, listTenants } from '@catalog/contract/endpoints/access';
import type { Settings } from '@catalog/server/config/settings';
import {
  asCaller,
  TRUSTED_HEADERS,
  TRUSTED_HEADERS_MULTI_TENANT,
  type TestCaller,
} from '@catalog/testkit/callers';
import { startProxy } from '@catalog/testkit/recording-proxy';
import {
  startRegistry,
  type RegistryClientView,
  type RegistryServer,
} from '@catalog/testkit/registry-server';
import { openWorkspace, skill, type Workspace } from './workspace.ts';

interface Place extends Workspace {
  server: RegistryServer;
  face: RegistryClientView;
  /** Flag `--registry <url>` of a proxy that has authenticated the CLI user. */
  at: string;
}

async function openPlace(caller: TestCaller, settings: Partial<Settings>): Promise<Place> {
  const server = await startRegistry({ settings });
  const proxy = await startProxy(server.url, undefined, asCaller(caller));
  const face = server.as(asCaller(caller));
  return { ...openWorkspace(), server, face, at: `--registry ${proxy.url}` };
}

function openAsAdmin(): Promise<Place> {
  return openPlace({ subject: 'ada' }, { ...TRUSTED_HEADERS, bootstrap_admins: ['ada'] });
}

function openAsOperator(): Promise<Place> {
  return openPlace(
    { subject: 'op' },
    {
      ...TRUSTED_HEADERS_MULTI_TENANT,
      operator_admins: ['op'],
      bootstrap_admins: ['acme=ada'],
    },
  );
}

describe('catalog serve', () => {
  test('reports the authentication method, and that no admin is configured', async () => {
    const { start } = openWorkspace();
    const env = {
      CATALOG_IDENTITY_PROVIDER: 'trusted-headers',
      CATALOG_TRUSTED_PROXY_SECRET: 'of the proxy',
    };
    const without = start('serve --bind 127.0.0.1:0', env);
    await without.waitFor('stdout', /Ctrl-C/);
    const { stdout } = without.output();
    expect(stdout).toContain('authenticated: trusted-headers\n');
    expect(stdout).toContain('admins  none; add one to bootstrap_admins and restart\n');
    without.signal('SIGTERM');
    await without.ended;
    const admins = { CATALOG_BOOTSTRAP_ADMINS: 'ada bob' };
    const running = start('serve --bind 127.0.0.1:0', { ...env, ...admins });
    await running.waitFor('stdout', /Ctrl-C/);
    expect(running.output().stdout).not.toContain('admins');
    running.signal('SIGTERM');
    await running.ended;
  });
});

describe('catalog serve with a web UI', () => {
  test('shows the web UI at the host of the redirect URI, and suggests to sign in', async () => {
    const running = openWorkspace().start('serve --bind 127.0.0.1:0', {
      CATALOG_IDENTITY_PROVIDER: 'oidc-jwt',
      CATALOG_OAUTH_ISSUER: 'https://127.0.0.1:1',
      CATALOG_OAUTH_AUDIENCE: 'https://catalog.example.com',
      CATALOG_WEB_UI: 'true',
      CATALOG_WEB_UI_AUTH: 'true',
      CATALOG_WEB_UI_OAUTH_CLIENT_ID: 'catalog-web',
      CATALOG_WEB_UI_OAUTH_CLIENT_SECRET: 'of the client',
      CATALOG_WEB_UI_REDIRECT_URI: 'http://localhost:8080/v1/ui/auth/callback',
      CATALOG_WEB_UI_OAUTH_AUTHORIZATION_ENDPOINT: 'https://127.0.0.1:1/auth',
      CATALOG_WEB_UI_OAUTH_TOKEN_ENDPOINT: 'https://127.0.0.1:1/token',
    });
    await running.waitFor('stdout', /Ctrl-C/);
    const { stdout } = running.output();
    expect(stdout).toMatch(/^ {2}web UI +http:\/\/localhost:8080\/app\/$/m);
    expect(stdout).toMatch(/^Next: catalog login\b/m);
    running.signal('SIGTERM');
    await running.ended;
  });
});

describe('catalog admin grant, revoke, admins', () => {
  test('grants, lists and revokes the admin role', async () => {
    const place = await openAsAdmin();
    const granted = await place.ok(`admin grant bob ${place.at}`);
    expect(granted.stdout).toBe('Granted bob the admin role\n');
    const { stdout } = await place.ok(`admin admins ${place.at}`);
    const [header = '', first = '', second = ''] = stdout.split('\n');
    expect(header).toMatch(/^user +since +granted by$/);
    expect(first).toMatch(/^ada +\d{4}-\d\d-\d\d \d\d:\d\d UTC +system:bootstrap$/);
    expect(second).toMatch(/^bob .* ada$/);
    const { document } = await place.json(`admin admins ${place.at}`);
    expect(document).toEqual(await place.face.call(listAdmins));
    const revoked = await place.json(`admin revoke bob ${place.at}`);
    expect(revoked.document).toEqual({ revoked: 'bob' });
    expect((await place.face.call(listAdmins)).admins).toHaveLength(1);
  });

  test('reports if the role was revoked, and if no admins are left', async () => {
    const place = await openAsAdmin();
    await place.ok(`admin grant bob ${place.at}`);
    const other = await place.ok(`admin revoke bob ${place.at}`);
    expect(other.stdout).toBe('Revoked the admin role from bob\n');
    const again = await place.ok(`admin revoke bob ${place.at}`);
    expect(again.stdout).toBe('bob was not an admin\n');
    const last = await place.ok(`admin revoke ada ${place.at}`);
    expect(last.stdout).toMatch(/^Revoked the admin role from ada; the tenant has no admins now$/m);
    expect(last.stdout).toMatch(/^Next: add an admin to bootstrap_admins/m);
  });

  test('rejects callers who are not admins and a missing user, and suggests a grant if there are no admins', async () => {
    const place = await openPlace({ subject: 'eve' }, TRUSTED_HEADERS);
    const refused = await place.error(`admin grant eve ${place.at}`);
    expect(refused.code).toBe(4);
    expect(refused.error).toMatchObject({ code: 'auth.forbidden' });
    const withoutUser = await place.error('admin grant');
    expect(withoutUser).toMatchObject({ code: 2, error: { code: 'config.usage' } });
    const open = await startRegistry();
    const { stdout } = await place.ok(`admin admins --registry ${open.url}`);
    expect(stdout).toContain('`catalog admin grant <user>`');
  });
});

describe('catalog admin show-effective', () => {
  test('shows each layer with the reason, and includes the given groups and email', async () => {
    const place = await openAsAdmin();
    const empty = await place.ok(`admin show-effective bob ${place.at}`);
    expect(empty.stdout).toContain('bob (no groups): the registry has no layers.');
    await place.face.ingest(skill('a/one'), { id: 'base', organization: true });
    await place.face.ingest(skill('b/one'), { id: 'team', groups: ['ops'], users: ['bob@x.org'] });
    const { stdout } = await place.ok(`admin show-effective bob ${place.at}`);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'bob (no groups) can read 1 of 2 layers',
      'layer  can read  reason',
      'base   yes       layer.organization=true and identity is authenticated',
      'team   no        user is not in layer.users or layer.groups',
    ]);
    const { document } = await place.json(
      `admin show-effective bob --group ops --group web --email bob@x.org ${place.at}`,
    );
    expect(document).toEqual({
      user_id: 'bob',
      groups: ['ops', 'web'],
      layers: [
        expect.objectContaining({ layer_id: 'base', visible: true }),
        {
          layer_id: 'team',
          visible: true,
          reason: 'user is in layer.users by bob@x.org; user is in layer.groups: ops (given)',
        },
      ],
    });
  });
});

describe('catalog admin tenant', () => {
  test('creates, lists and updates tenants', async () => {
    const place = await openAsOperator();
    const created = await place.ok(
      `admin tenant create globex --admin gus --search-qps 50 --storage-bytes 1048576 --expose-scope-preview false --extends-parents visible ${place.at}`,
    );
    expect(created.stdout).toContain('Created globex\n');
    const again = await place.ok(`admin tenant create globex --search-qps 9 ${place.at}`);
    expect(again.stdout).toContain('globex already exists and was not changed');
    const { stdout } = await place.ok(`admin tenant list ${place.at}`);
    const rows = stdout.split('\n');
    expect(rows[0]).toMatch(/^tenant +state +storage +searches\/s +loads\/s .* preview +parents$/);
    expect(rows[1]).toMatch(/^acme +active +unlimited +unlimited .* default +default +default$/);
    expect(rows[3]).toMatch(
      /^globex +active +1\.0 MiB +50 +unlimited +unlimited +default +off +visible$/,
    );
    await place.ok(
      `admin tenant update globex --max-user-layers=-1 --materialize-rate 7 --audit-volume-per-day 8 --expose-scope-preview unset --extends-parents any ${place.at}`,
    );
    const { tenants } = await place.face.call(listTenants);
    expect(tenants.at(-1)).toMatchObject({
      quota: {
        storage_bytes: 1_048_576,
        search_qps: 50,
        materialize_rate: 7,
        audit_volume_per_day: 8,
        max_user_layers: -1,
      },
      expose_scope_preview: null,
      extends_parents: 'any',
    });
    const { document } = await place.json(`admin tenant list ${place.at}`);
    expect(document).toEqual({ tenants });
    const gus = place.server.as(asCaller({ subject: 'gus', org: 'globex' }));
    expect((await gus.request(listAdmins)).status).toBe(200);
  });

  test('deactivates and activates a tenant by name or id', async () => {
    const place = await openAsOperator();
    const states = async () =>
      (await place.face.call(listTenants)).tenants.map(({ active }) => active);
    const { stdout } = await place.ok(`admin tenant deactivate acme ${place.at}`);
    expect(stdout).toContain('`catalog admin tenant activate acme`');
    expect(await states()).toEqual([false, true]);
    const [acme] = (await place.face.call(listTenants)).tenants;
    await place.ok(`admin tenant activate ${acme?.id ?? ''} ${place.at}`);
    expect(await states()).toEqual([true, true]);
  });

  test('reports the problem and the next step for invalid input', async () => {
    const place = await openAsOperator();
    const near = await place.error(`admin tenant deactivate acmee ${place.at}`);
    expect(near).toMatchObject({
      code: 1,
      error: { code: 'registry.tenant_not_found', suggested_action: 'Did you mean `acme`?' },
    });
    for (const words of ['update acme', 'update acme --search-qps many', 'create']) {
      const wrong = await place.error(`admin tenant ${words} ${place.at}`);
      expect(wrong).toMatchObject({ code: 2, error: { code: 'config.usage' } });
    }
    const unfinished = await place.error('admin tenant');
    expect(unfinished.error).toMatchObject({
      message: '`catalog admin tenant` needs a subcommand.',
      suggested_action: 'Run `catalog admin tenant --help`.',
    });
    const help = await place.ok('admin tenant --help');
    expect(help.stdout).toContain('admin tenant deactivate <tenant>');
    const open = await startRegistry();
    const single = await place.error(`admin tenant list --registry ${open.url}`);
    expect(single.error.code).toBe('registry.tenant_management_unavailable');
  });
});

describe('catalog quota', () => {
  test('shows limits next to usage', async () => {
    const place = await openPlace(
      { subject: 'bob' },
      { ...TRUSTED_HEADERS, 'quota.search_qps': 50, 'quota.storage_bytes': 10_485_760 },
    );
    const { stdout } = await place.ok(`quota ${place.at}`);
    expect(stdout.split('\n').slice(0, -1)).toEqual([
      expect.stringMatching(/^tenant [\da-f-]{36}$/),
      expect.stringMatching(/^ +used +limit$/),
      expect.stringMatching(/^storage +0 B +10\.0 MiB$/),
      expect.stringMatching(/^artifacts +0 +-$/),
      expect.stringMatching(/^audit records today +\d+ +unlimited$/),
      expect.stringMatching(/^searches per second +- +50$/),
      expect.stringMatching(/^loads per second +- +unlimited$/),
      expect.stringMatching(/^personal layers per user +- +3$/),
    ]);
    const { document } = await place.json(`quota ${place.at}`);
    expect(document).toMatchObject({ limits: { search_qps: 50 }, usage: { storage_bytes: 0 } });
  });
});
