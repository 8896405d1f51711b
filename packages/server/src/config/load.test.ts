import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describeSettings } from './describe-settings.ts';
import { CLIENT_VARIABLES, findMissing } from './unsupported-settings.ts';
import { loadSettings, type LoadedSettings, type SettingsInput } from './load.ts';
import { SETTINGS } from './settings.ts';
import { showValue, type Setting } from './setting.ts';

interface Given {
  file?: string;
  env?: SettingsInput['env'];
  flags?: SettingsInput['flags'];
  config?: string;
}

interface Loaded extends LoadedSettings {
  home: string;
}

function load({ file, env = {}, flags = {}, config }: Given): Loaded {
  const home = temporaryFolder();
  writeTree(home, { 'work/.keep': '' });
  if (file !== undefined) writeTree(home, { '.catalog/registry.yaml': file });
  return { ...loadSettings({ cwd: join(home, 'work'), home, env, flags, config }), home };
}

function refusal(given: Given): CatalogError {
  try {
    load(given);
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error('the settings were accepted');
}

const rows = Object.entries<Setting>(SETTINGS);

function credentialRow(entry: string, message: RegExp): [string, string, RegExp, number] {
  return [`git: {credentials: [{${entry}}]}`, 'registry.git.credentials', message, 2];
}

describe('precedence of settings', () => {
  const file = 'registry:\n  bind: 127.0.0.1:1\n';
  const env = { CATALOG_BIND: '127.0.0.1:2' };
  const flags = { bind: '127.0.0.1:3' };

  test.each([
    ['what is built in', {}, '127.0.0.1:8080', { kind: 'built-in' }],
    ['the file over that', { file }, '127.0.0.1:1', { kind: 'file', line: 2 }],
    ['a variable over it', { file, env }, '127.0.0.1:2', { kind: 'env', name: 'CATALOG_BIND' }],
    ['a flag over all', { file, env, flags }, '127.0.0.1:3', { kind: 'flag', name: '--bind' }],
    ['an empty variable is none', { file, env: { CATALOG_BIND: '' } }, '127.0.0.1:1', {}],
  ])('%s', (_, given, bind, origin) => {
    const { settings, origins } = load(given);
    expect(settings.bind).toBe(bind);
    expect(origins.bind).toMatchObject(origin);
  });

  test('uses the defaults without a file', () => {
    const { settings, file: read, home } = load({});
    expect(read).toBeUndefined();
    expect(settings['store.sqlite_path']).toBe(`${home}/.catalog/standalone/catalog.db`);
    expect(settings['object_store.filesystem_root']).toBe(`${home}/.catalog/standalone/objects`);
    expect(settings).toMatchObject({
      public_mode: false,
      layer_recovery_days: 30,
      layer_poll_interval: 0,
      metrics: true,
      host_sandboxes: ['unrestricted'],
    });
  });
});

describe('configuration file', () => {
  test('is selected by flag or environment variable, and must then exist', () => {
    const missing = { code: 'config.not_found', details: { path: expect.stringMatching(/gone/) } };
    expect(refusal({ config: 'gone.yaml' })).toMatchObject(missing);
    expect(refusal({ env: { CATALOG_CONFIG_FILE: 'gone.yaml' } })).toMatchObject(missing);
    const root = temporaryFolder();
    writeTree(root, { 'a.yaml': 'registry: {layer_recovery_days: 7}', 'b.yaml': 'registry: {}' });
    const env = { CATALOG_CONFIG_FILE: join(root, 'a.yaml') };
    expect(load({ env }).settings.layer_recovery_days).toBe(7);
    expect(load({ env, config: join(root, 'b.yaml') }).settings.layer_recovery_days).toBe(30);
  });

  test('is rejected as unreadable if it is a folder', () => {
    const folder = temporaryFolder();
    expect(refusal({ config: folder })).toMatchObject({ code: 'config.invalid' });
  });

  test('contains paths relative to its folder', () => {
    const root = temporaryFolder();
    writeTree(root, {
      'etc/r.yaml': `registry:
  store: {sqlite_path: data/c.db}
  layer_path: ~/skills
  plugins: [./p.mjs]
  layers:
    - id: base
      source: {local: {path: ../base}}
`,
    });
    const { settings, home } = load({ config: join(root, 'etc/r.yaml') });
    expect(settings['store.sqlite_path']).toBe(join(root, 'etc/data/c.db'));
    expect(settings.layer_path).toBe(join(home, 'skills'));
    expect(settings.plugins).toEqual([join(root, 'etc/p.mjs')]);
    expect(settings.layers).toEqual([
      { id: 'base', source: { local: { path: join(root, 'base') } } },
    ]);
  });

  test('does not affect paths in flags and environment variables, which are relative to the working directory', () => {
    const { settings, home } = load({ env: { CATALOG_LAYER_PATH: 'x' } });
    expect(settings.layer_path).toBe(join(home, 'work/x'));
  });

  test.each([
    ['', 'an empty file'],
    ['registry:\n', 'an empty registry'],
    ['registry: {store: , layer_path: }\n', 'keys without a value'],
  ])('%j is %s and changes nothing', (file) => {
    expect(load({ file }).settings.bind).toBe('127.0.0.1:8080');
  });

  test.each([
    ['bind: x', 'registry.bind', /must be an address and a port/, 2],
    ['public_mode: yes', 'registry.public_mode', /must be true or false, but is `yes`/, 2],
    ['layer_recovery_days: -1', 'registry.layer_recovery_days', /integer from 0/, 2],
    ['layer_recovery_days: 1.5', 'registry.layer_recovery_days', /integer/, 2],
    ['layer_poll_interval: 5', 'registry.layer_poll_interval', /duration/, 2],
    ['layer_poll_interval: 21d', 'registry.layer_poll_interval', /longer than 20 days/, 2],
    ['store: {type: mysql}', 'registry.store.type', /sqlite or postgres/, 2],
    ['store: {dsn: "host=db"}', 'registry.store.dsn', /URL of a PostgreSQL database/, 2],
    ['object_store: {type: ftp}', 'registry.object_store.type', /filesystem or s3/, 2],
    ['object_store: {bucket: "s3://x"}', 'registry.object_store.bucket', /bucket name/, 2],
    ['object_store: {endpoint: s3.local}', 'registry.object_store.endpoint', /http or https/, 2],
    ['object_store: {prefix: /a/}', 'registry.object_store.prefix', /separated by/, 2],
    [
      'object_store: {presign_ttl_seconds: 5}',
      'registry.object_store.presign_ttl_seconds',
      /10 to/,
      2,
    ],
    ['store: sqlite', 'registry.store', /must be a map/, 2],
    ['log: {level: loud}', 'registry.log.level', /trace, debug/, 2],
    ['public_url: catalog.example.com', 'registry.public_url', /http or https/, 2],
    ['public_url: "https://x.org/?a=b"', 'registry.public_url', /http or https/, 2],
    ['trusted_proxies: [10.0.0.0/33]', 'registry.trusted_proxies', /network/, 2],
    ['webhooks: {allowed_targets: [10.1]}', 'registry.webhooks.allowed_targets', /host name/, 2],
    ['webhooks: {allowed_targets: ["*"]}', 'registry.webhooks.allowed_targets', /host name/, 2],
    ['open_writes: maybe', 'registry.open_writes', /allow/, 2],
    ['host_sandboxes: [bubble]', 'registry.host_sandboxes', /unrestricted/, 2],
    ['layers:\n    - id: a\n', 'registry.layers', /has no `source`/, 3],
    [
      'layers: [{id: "a b", source: {local: {path: x}}}]',
      'registry.layers',
      /a name of letters/,
      2,
    ],
    ['layers: [{id: a, source: {}}]', 'registry.layers', /one source/, 2],
    [
      'layers: [{id: a, source: {local: {path: x}, git: {repo: y}}}]',
      'registry.layers',
      /one source/,
      2,
    ],
    ['layers: [{id: a, source: {git: {}}}]', 'registry.layers', /no `repo`/, 2],
    [
      'layers: [{id: a, source: {local: {path: x}}, visiblity: {}}]',
      'registry.layers',
      /Unknown key `visiblity`/,
      2,
    ],
    [
      'layers: [{id: a, source: {git: {repo: "https://u:hush@git.example.com/r"}}}]',
      'registry.layers',
      /contains a password/,
      2,
    ],
    [
      'layers: [{id: a, source: {git: {repo: "https://git.example.com/r", root: ../x}}}]',
      'registry.layers',
      /root/,
      2,
    ],
    [
      'layers: [{id: a, tenant: "a=b", source: {local: {path: x}}}]',
      'registry.layers',
      /`tenant` must be the name of a tenant/,
      2,
    ],
    ['git: {credentials: [{username: x}]}', 'registry.git.credentials', /no `host`/, 2],
    credentialRow('host: "a:1", password: p', /must be a host name or an IP address/),
    credentialRow('host: a, username: u', /exactly one secret/),
    credentialRow('host: a, password: p, ssh_key: k', /exactly one secret/),
    credentialRow('host: a, scheme: ssh, password: p', /scheme ssh cannot have `password`/),
    credentialRow('host: a, scheme: https, ssh_key: k', /scheme https cannot have `ssh_key`/),
    credentialRow('host: a, scheme: git, password: p', /https, http or ssh/),
    credentialRow('host: a, port: 0, password: p', /an integer from 1 to 65535/),
    credentialRow('host: a, tenant: "a=b", password: p', /`tenant` must be the name/),
  ])('%j is rejected with its position', (line, key, message, at) => {
    const error = refusal({ file: `registry:\n  ${line}\n` });
    expect(error).toMatchObject({
      code: 'config.invalid',
      message: expect.stringMatching(message),
      details: { file: expect.stringMatching(/registry\.yaml$/), line: at, key },
    });
  });

  test.each([
    ['registry:\n  bindd: x\n', 'registry.bindd', 'bind'],
    ['registry:\n  store: {sqlite_pth: x}\n', 'registry.store.sqlite_pth', 'store.sqlite_path'],
    ['registry:\n  discvery: {max_depth: 1}\n', 'registry.discvery', 'discovery'],
    ['registy:\n  bind: x\n', 'registy', 'registry'],
  ])('%j is rejected with the correct key', (file, key, did_you_mean) => {
    expect(refusal({ file })).toMatchObject({
      code: 'config.invalid',
      details: { key, did_you_mean, line: expect.any(Number) },
      suggested_action: `Did you mean \`${did_you_mean}\`?`,
    });
  });

  test('is rejected with a suggestion if a setting is at the top level', () => {
    expect(refusal({ file: 'bind: 127.0.0.1:1\n' }).suggested_action).toBe(
      'Move it under `registry:`, indented.',
    );
  });

  test.each([['deprecated_retention_days: 1', 'removal of deprecated versions']])(
    '%j is rejected because it requires an unsupported feature',
    (line, what) => {
      expect(refusal({ file: `registry:\n  ${line}\n` })).toMatchObject({
        code: 'config.invalid',
        message: expect.stringContaining(`this version has no ${what}`),
      });
    },
  );

  test.each([
    ['store: {type: postgres}', 'store.dsn', 'store.dsn'],
    ['store: {dsn: "postgres://c@db/c"}', 'store.type', 'store.dsn'],
    ['store: {replica_dsns: ["postgres://c@db/c"]}', 'store.type', 'store.replica_dsns'],
  ])('%j is rejected as an incomplete database configuration', (line, key, other) => {
    expect(refusal({ file: `registry:\n  ${line}\n` })).toMatchObject({
      code: 'config.invalid',
      details: { key, fields: ['store.type', other] },
    });
  });

  test.each([
    ['store: {type: postgres, dsn: "postgres://c@db/c"}', 'store.type'],
    [
      'multi_tenant: true\n  identity_provider: {type: trusted-headers, proxy_secret: a-long-secret-of-the-proxy}',
      'multi_tenant',
    ],
  ])('%j is rejected with a file of webhook receivers', (line, key) => {
    const file = `registry:\n  ${line}\n  webhooks: {store_path: receivers.json}\n`;
    expect(refusal({ file })).toMatchObject({
      code: 'config.invalid',
      details: { key: 'webhooks.store_path', fields: ['webhooks.store_path', key] },
    });
  });

  test('accepts an empty prefix for a bucket', () => {
    const file =
      'registry: {object_store: {type: s3, bucket: catalog, region: eu, prefix: "${PREFIX}"}}\n';
    const { settings } = load({ file, env: { PREFIX: '' } });
    expect(settings['object_store.prefix']).toBe('');
  });

  test.each([
    ['{type: s3}', ['object_store.type', 'object_store.bucket']],
    ['{bucket: catalog}', ['object_store.type', 'object_store.bucket']],
    ['{prefix: a/b}', ['object_store.type', 'object_store.prefix']],
    [
      '{type: s3, bucket: catalog, access_key_id: a}',
      ['object_store.access_key_id', 'object_store.secret_access_key'],
    ],
  ])('object_store: %s is rejected as an incomplete bucket configuration', (value, fields) => {
    expect(refusal({ file: `registry:\n  object_store: ${value}\n` })).toMatchObject({
      code: 'config.invalid',
      details: { fields },
    });
  });

  test.each([
    'store: {dsn: "mysql://c:hush@db/c"}',
    'store: {replica_dsns: "postgres://c:hush@db/c"}',
    'store: {dsn: "postgres://c:hush@db/c", typ: postgres}',
    'object_store: {secret_access_key: [hush]}',
    'git: {credentials: hush}',
    'git: {credentials: ["https://bot:hush@git.example.com"]}',
    'git: {credentials: [{host: a, user: bot, password: hush}]}',
    'layers: [{id: a, source: {git: {repo: "https://u:hush@git.example.com/r"}}}]',
    'layers: [{id: a, source: {git: "https://u:hush@git.example.com/r"}}]',
    'proxy: {https: "ftp://u:hush@proxy"}',
    'store: {dsn: "postgres://c:hush@db/c"',
  ])('%j is rejected without repeating its password', (line) => {
    const error = refusal({ file: `registry:\n  ${line}\n` });
    expect(error).toMatchObject({ code: 'config.invalid', details: { line: expect.any(Number) } });
    expect(JSON.stringify(error.toEnvelope())).not.toContain('hush');
  });

  test('is rejected with the position of a YAML error', () => {
    expect(refusal({ file: 'registry:\n  bind: [\n' })).toMatchObject({
      code: 'config.invalid',
      details: { line: 2 },
    });
  });
});

describe('interpolation', () => {
  test('replaces environment variables in values of any type', () => {
    const { settings } = load({
      file: `registry:
  public_mode: \${ON}
  layer_recovery_days: \${DAYS}
  allowed_hosts: \${HOSTS}
  git: {credentials: [{host: git.example.com, username: bot, password: "x-\${TOKEN}"}]}
  public_url: https://\${NAME}.example.com
`,
      env: {
        ON: 'true',
        DAYS: '3',
        HOSTS: 'a, b',
        TOKEN: 'true',
        NAME: 'c',
        CATALOG_OPEN_WRITES: 'deny',
      },
    });
    expect(settings).toMatchObject({
      public_mode: true,
      layer_recovery_days: 3,
      allowed_hosts: ['a', 'b'],
      'git.credentials': [{ host: 'git.example.com', username: 'bot', password: 'x-true' }],
      public_url: 'https://c.example.com',
    });
  });

  test('rejects an unset environment variable', () => {
    expect(refusal({ file: 'registry:\n  public_url: https://${NAME}/\n' })).toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('`NAME` is not set'),
      details: { line: 2 },
    });
  });

  test('can be escaped and cannot add keys', () => {
    const file = 'registry:\n  allowed_hosts: ["$${X}", "${Y}"]\n';
    const { settings } = load({ file, env: { Y: 'a\npublic_mode: true' } });
    expect(settings.allowed_hosts).toEqual(['${X}', 'a\npublic_mode: true']);
    expect(settings.public_mode).toBe(false);
  });
});

describe('environment variables', () => {
  test.each([
    ['CATALOG_BIN', '127.0.0.1:1', 'CATALOG_BIND'],
    ['CATALOG_PUBLIC_MODES', 'true', 'CATALOG_PUBLIC_MODE'],
    ['CATALOG_SQLITE_PTAH', 'x', 'CATALOG_SQLITE_PATH'],
  ])('report %s as a typo of %s', (name, value, did_you_mean) => {
    expect(refusal({ env: { [name]: value } })).toMatchObject({
      code: 'config.invalid',
      details: { key: name, did_you_mean },
    });
  });

  test.each([
    ['CATALOG_POSTGRES_DSN', 'postgres://x'],
    ['CATALOG_S3_BUCKET', 'x'],
  ])('reject %s=%s because it requires an unsupported feature', (name, value) => {
    expect(refusal({ env: { [name]: value } })).toMatchObject({
      code: 'config.invalid',
      details: { key: name },
    });
  });

  test('of consumers and other programs are ignored', () => {
    const env = Object.fromEntries(CLIENT_VARIABLES.map((name) => [name, 'x']));
    const { settings } = load({
      env: {
        ...env,
        CATALOG_REGISTY: 'a slip of a consumer’s',
        CATALOG_ENTIRELY_DIFFERENT: 'x',
        CATALOGUE: 'x',
      },
    });
    expect(settings.bind).toBe('127.0.0.1:8080');
  });

  test('are named in errors about their values', () => {
    expect(refusal({ env: { CATALOG_METRICS: 'off' } })).toMatchObject({
      code: 'config.invalid',
      message: '`CATALOG_METRICS` must be true or false, but is `off`.',
      details: { key: 'CATALOG_METRICS' },
    });
  });

  test.each([
    ['CATALOG_METRICS', '0', 'metrics', false],
    ['CATALOG_METRICS', '1', 'metrics', true],
    ['CATALOG_LAYER_POLL_INTERVAL', '5m', 'layer_poll_interval', 300],
    ['CATALOG_LAYER_POLL_INTERVAL', '0', 'layer_poll_interval', 0],
    ['CATALOG_TRUSTED_PROXIES', '10.0.0.0/8, ::1', 'trusted_proxies', ['10.0.0.0/8', '::1']],
    [
      'CATALOG_WEBHOOK_ALLOWED_TARGETS',
      'hooks.corp:8443, 10.0.0.0/8',
      'webhooks.allowed_targets',
      ['hooks.corp:8443', '10.0.0.0/8'],
    ],
    ['CATALOG_PUBLIC_URL', 'https://c.example.com/x/', 'public_url', 'https://c.example.com/x'],
    ['https_proxy', 'http://p:1', 'proxy.https', 'http://p:1'],
    ['ALL_PROXY', 'http://p:1', 'proxy.http', 'http://p:1'],
  ] as const)('set %s=%s', (name, value, key, expected) => {
    const env = { CATALOG_OPEN_WRITES: 'deny', [name]: value };
    expect(load({ env }).settings[key]).toEqual(expected);
  });
});

describe('loadSettings', () => {
  const open = { code: 'config.public_bind_refused', details: { bind: expect.any(String) } };

  test.each(['0.0.0.0:8080', ':8080', '[::]:8080', '192.168.1.5:80', 'registry.example.com:80'])(
    'requires explicit permission for an unauthenticated registry on %s',
    (bind) => {
      expect(refusal({ flags: { bind } })).toMatchObject(open);
      expect(refusal({ flags: { bind, 'public-mode': true } })).toMatchObject(open);
      // Without this setting, a registry on a public address does not start (SPEC-76).
      const flags = { bind, 'allow-public-bind': true } as const;
      expect(refusal({ flags })).toMatchObject({
        ...open,
        message: expect.stringContaining('open_writes'),
      });
      expect(refusal({ flags: { ...flags, 'public-mode': true } })).toMatchObject(open);
      for (const open_writes of ['allow', 'deny']) {
        const { settings } = load({ flags, env: { CATALOG_OPEN_WRITES: open_writes } });
        expect(settings).toMatchObject({ bind, open_writes });
        expect(
          refusal({ flags: { bind }, env: { CATALOG_OPEN_WRITES: open_writes } }),
        ).toMatchObject(open);
      }
    },
  );

  test.each(['127.0.0.1:0', '127.8.8.8:1', 'localhost:8080', '[::1]:8080', '[::ffff:127.0.0.1]:1'])(
    'treats %s as local',
    (bind) => {
      expect(load({ flags: { bind, 'public-mode': true } }).settings.bind).toBe(bind);
    },
  );

  describe.each([
    ['CATALOG_PUBLIC_URL', 'https://catalog.example.com', /serve https:\/\/catalog\.example\.com/],
    ['CATALOG_PUBLIC_URL', 'http://10.0.0.1:8080', /serve http:\/\/10\.0\.0\.1:8080/],
    ['CATALOG_TRUSTED_PROXIES', '127.0.0.1', /clients of the proxy 127\.0\.0\.1/],
  ])('registry on loopback with %s %s', (name, value, message) => {
    test.each([
      ['without a provider', {}],
      ['in public mode', { 'public-mode': true }],
    ] as const)('needs open_writes %s (SPEC-92)', (_, flags) => {
      expect(refusal({ env: { [name]: value }, flags })).toMatchObject({
        ...open,
        message: expect.stringMatching(message),
        suggested_action: expect.stringContaining('open_writes'),
      });
      for (const open_writes of ['allow', 'deny']) {
        const env = { [name]: value, CATALOG_OPEN_WRITES: open_writes };
        expect(load({ env, flags }).settings).toMatchObject({ open_writes });
      }
    });

    test('needs no further setting with an identity provider', () => {
      const file = 'registry:\n  identity_provider: {type: trusted-headers, proxy_secret: s}\n';
      expect(load({ env: { [name]: value }, file }).settings.open_writes).toBeUndefined();
    });
  });

  test.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:1', 'http://a.localhost'])(
    'treats the public URL %s as local',
    (url) => {
      expect(load({ env: { CATALOG_PUBLIC_URL: url } }).settings.open_writes).toBeUndefined();
    },
  );

  test('rejects dev mode on a public bind address', () => {
    const flags = { bind: '0.0.0.0:1', 'allow-public-bind': true, dev: true } as const;
    expect(refusal({ flags, env: { CATALOG_OPEN_WRITES: 'allow' } })).toMatchObject({
      code: 'config.invalid',
      details: { key: 'dev' },
    });
  });

  test('rejects a certificate without its key', () => {
    expect(refusal({ env: { CATALOG_TLS_CERT: 'c.pem' } }).message).toContain('tls.key');
    expect(refusal({ env: { CATALOG_TLS_KEY: 'k.pem' } }).message).toContain('tls.cert');
  });

  test('rejects two layers with one id', () => {
    const layer = '{id: a, source: {local: {path: x}}}';
    expect(refusal({ file: `registry:\n  layers: [${layer}, ${layer}]\n` }).message).toContain(
      'two layers have the id a',
    );
  });

  test('rejects two layers with one id in a tenant, but not in two tenants', () => {
    const several = `registry:
  multi_tenant: true
  identity_provider: {type: trusted-headers, proxy_secret: s}
  layers:
    - {id: a, source: {local: {path: x}}}
    - {id: a, tenant: acme, source: {local: {path: y}}}
`;
    const { settings } = load({ file: several });
    expect(settings.layers.map(({ tenant }) => tenant)).toEqual([undefined, 'acme']);
    for (const tenant of ['default', 'acme']) {
      const again = `${several}    - {id: a, tenant: ${tenant}, source: {local: {path: z}}}\n`;
      expect(refusal({ file: again }).message).toContain('two layers have the id a');
    }
  });

  test('rejects a layer with a tenant in a single-tenant registry', () => {
    const file = 'registry:\n  layers: [{id: a, tenant: acme, source: {local: {path: x}}}]\n';
    expect(refusal({ file })).toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('multi_tenant is off'),
      details: { value: 'a', fields: ['tenant', 'multi_tenant'] },
    });
  });

  test.each([
    ['names no tenant', true, ''],
    ['multi_tenant is off', false, 'tenant: acme, '],
  ])('rejects a git credential if %s', (message, multi_tenant, tenant) => {
    const settings = `multi_tenant: ${multi_tenant}
  identity_provider: {type: trusted-headers, proxy_secret: s}
  git: {credentials: [{${tenant}host: a, password: hush}]}`;
    const error = refusal({ file: `registry:\n  ${settings}\n` });
    expect(error).toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining(message),
      details: { value: 'a', fields: ['git.credentials', 'multi_tenant'] },
    });
    expect(JSON.stringify(error.toEnvelope())).not.toContain('hush');
  });

  test('rejects a minimum version above this program, and an invalid one', () => {
    expect(refusal({ file: 'registry: {min_server_version: 99.0.0}' }).code).toBe(
      'config.server_version_too_old',
    );
    expect(refusal({ file: 'registry: {min_server_version: soon}' }).code).toBe(
      'config.invalid_min_version',
    );
    expect(load({ file: 'registry: {min_server_version: 0.1.0}' }).file).toBeDefined();
  });
});

describe('SETTINGS', () => {
  test('has unique environment variables and flags, except for ALL_PROXY', () => {
    const names = rows.flatMap(([, { env = [], flag }]) => [
      ...env.filter((name) => name.toLowerCase() !== 'all_proxy'),
      ...(flag === undefined ? [] : [`--${flag}`]),
    ]);
    expect(names).toEqual([...new Set(names)]);
  });

  test('contains no unsupported settings and no variables of consumers', () => {
    for (const [key, { env = [] }] of rows) {
      for (const name of [key, ...env]) expect(findMissing(name), name).toBeUndefined();
      expect(env.filter((name) => CLIENT_VARIABLES.includes(name))).toEqual([]);
    }
  });

  test('has defaults that pass their own checks', () => {
    const { settings } = load({});
    for (const [key, setting] of rows) {
      if (setting.default === undefined) continue;
      const at = { path: [key], problems: [] };
      setting.check.read(JSON.parse(JSON.stringify(showValue(setting, setting.default))), at);
      expect(at.problems, key).toEqual([]);
    }
    expect(Object.keys(settings)).toEqual(rows.map(([key]) => key));
  });

  test('can parse every environment variable it declares', () => {
    for (const [key, setting] of rows) {
      expect('env' in setting && !('fromText' in setting), key).toBe(false);
    }
  });
});

describe('describeSettings', () => {
  test('returns values that the file accepts', () => {
    for (const { key, value } of describeSettings(load({}))) {
      if (value === null) continue;
      const at = { path: [key], problems: [] };
      SETTINGS[key].check.read(JSON.parse(JSON.stringify(value)), at);
      expect(at.problems, key).toEqual([]);
    }
    const env = { CATALOG_SHUTDOWN_DELAY: '90s', CATALOG_STARTUP_TIMEOUT: '1d' };
    const shown = new Map(describeSettings(load({ env })).map(({ key, value }) => [key, value]));
    expect(shown.get('shutdown_delay')).toBe('90s');
    expect(shown.get('startup_timeout')).toBe('24h');
    expect(shown.get('layer_poll_interval')).toBe('0');
    expect(shown.get('webhooks.retry_schedule')).toContain('30m');
  });

  test('returns the origin of each value and hides secrets', () => {
    const loaded = load({
      file: 'registry:\n  git: {credentials: [{host: h, username: u, password: hush}]}\n',
      env: {
        HTTPS_PROXY: 'http://me:hush@proxy:3128',
        CATALOG_REGISTRY_STORE: 'postgres',
        CATALOG_POSTGRES_DSN: 'postgres://c:hush@a/catalog',
        CATALOG_POSTGRES_REPLICA_DSNS: 'postgres://c:hush@b/catalog, postgres://c:hush@c/catalog',
      },
    });
    const shown = new Map(describeSettings(loaded).map((row) => [row.key, row]));
    expect(shown.get('git.credentials')).toMatchObject({
      value: [{ host: 'h', username: 'u', password: '***' }],
      origin: { kind: 'file', line: 2 },
    });
    expect(shown.get('proxy.https')?.value).toBe('http://***@proxy:3128/');
    expect(shown.get('store.replica_dsns')?.value).toEqual([
      'postgres://c:***@b/catalog',
      'postgres://c:***@c/catalog',
    ]);
    expect(shown.get('public_url')?.value).toBeNull();
    expect(JSON.stringify([...shown.values()])).not.toContain('hush');
  });
});
