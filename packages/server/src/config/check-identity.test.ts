import { join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { newSigningKey } from '@catalog/testkit/signing-key';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { normalizeAudiences } from './audiences.ts';
import { loadSettings } from './load.ts';
import type { Settings } from './settings.ts';

type Variables = Readonly<Record<string, string>>;

let keys = '';
beforeAll(async () => {
  const { algorithm, public_key_pem } = await newSigningKey('ES256');
  keys = JSON.stringify([{ issuer: 'https://runtime.test', algorithm, public_key_pem }]);
});

function start(env: Variables, file?: string): string | Settings {
  const home = temporaryFolder();
  writeTree(home, { 'keys.json': keys, 'none.json': '[]', 'broken.json': '{' });
  if (file !== undefined) writeTree(home, { '.catalog/registry.yaml': file });
  try {
    return loadSettings({ cwd: home, home, env, flags: {} }).settings;
  } catch (error) {
    if (error instanceof CatalogError) return error.code;
    throw error;
  }
}

function audiencesOf(env: Variables, file?: string): string[] {
  const settings = start(env, file);
  if (typeof settings === 'string') throw new Error(settings);
  return normalizeAudiences(settings['identity_provider.audience']);
}

const OIDC: Variables = {
  CATALOG_IDENTITY_PROVIDER: 'oidc-jwt',
  CATALOG_OAUTH_ISSUER: 'https://id.example.com',
  CATALOG_OAUTH_AUDIENCE: 'https://catalog.example.com',
};
const INJECTED: Variables = {
  CATALOG_IDENTITY_PROVIDER: 'injected-session-token',
  CATALOG_OAUTH_AUDIENCE: 'https://catalog.example.com',
  CATALOG_RUNTIME_KEYS_PATH: 'keys.json',
};
const HEADERS: Variables = { CATALOG_IDENTITY_PROVIDER: 'trusted-headers' };
const BROWSER: Variables = {
  ...OIDC,
  CATALOG_WEB_UI: 'true',
  CATALOG_WEB_UI_AUTH: 'true',
  CATALOG_WEB_UI_OAUTH_CLIENT_ID: 'catalog',
  CATALOG_WEB_UI_OAUTH_CLIENT_SECRET: 'hush',
  CATALOG_WEB_UI_REDIRECT_URI: 'https://catalog.example.com/v1/ui/auth/callback',
  CATALOG_WEB_UI_OAUTH_AUTHORIZATION_ENDPOINT: 'https://id.example.com/authorize',
  CATALOG_WEB_UI_OAUTH_TOKEN_ENDPOINT: 'https://id.example.com/token',
};
const PUBLIC_BIND: Variables = { CATALOG_BIND: '0.0.0.0:8080' };

function without(variables: Variables, name: string): Variables {
  return { ...variables, [name]: '' };
}

verifies('AUTH-03', 'one environment variable selects each provider', () => {
  for (const env of [OIDC, INJECTED, HEADERS]) {
    expect(start(env)).toMatchObject({
      'identity_provider.type': env['CATALOG_IDENTITY_PROVIDER'],
    });
  }
  expect(start({ CATALOG_IDENTITY_PROVIDER: 'ldap' })).toBe('config.invalid');
});

verifies(['AUTH-24', 'ERR-29'], 'a provider that cannot verify requests stops startup', () => {
  for (const more of [{}, OIDC, HEADERS, BROWSER, PUBLIC_BIND]) {
    const env = { ...more, CATALOG_IDENTITY_PROVIDER: 'oauth-device-code' };
    expect(start(env)).toBe('config.identity_provider_unverified');
  }
});

verifies('ERR-13', 'public mode and an identity provider exclude each other', () => {
  for (const env of [OIDC, INJECTED, HEADERS]) {
    expect(start({ ...env, CATALOG_PUBLIC_MODE: 'true' })).toBe('config.public_mode_with_idp');
  }
});

verifies('ERR-17', 'an issuer must be an https URL', () => {
  const bad = [
    '',
    'http://id.example.com',
    'id.example.com',
    'https://',
    'ftp://id.example.com',
    'https://id.example.com?tenant=1',
    'https://user:hush@id.example.com',
  ];
  for (const issuer of bad) {
    expect(start({ ...OIDC, CATALOG_OAUTH_ISSUER: issuer }), issuer).toBe(
      'config.invalid_issuer_scheme',
    );
  }
  expect(start(OIDC)).toBeTypeOf('object');
});

verifies(['ERR-18', 'ERR-19', 'AUTH-30'], 'tokens need an audience that is not blank', () => {
  for (const audience of ['', ' ', ',', ' , ,']) {
    const given = { CATALOG_OAUTH_AUDIENCE: audience };
    expect(start({ ...OIDC, ...given })).toBe('config.oidc_jwt_audience_unset');
    expect(start({ ...INJECTED, ...given })).toBe('config.injected_token_audience_unset');
    expect(start({ ...HEADERS, ...given })).toBeTypeOf('object');
  }
});

verifies(['AUTH-25', 'AUTH-27'], 'audiences are trimmed, without blanks and duplicates', () => {
  const given = (audience: string): string[] =>
    audiencesOf({ ...OIDC, CATALOG_OAUTH_AUDIENCE: audience });
  expect(given('b')).toEqual(['b']);
  expect(given(' b ,a,, b,\ta ,c')).toEqual(['b', 'a', 'c']);
});

verifies('AUTH-26', 'a file sets one audience or a list of audiences', () => {
  const file = (audience: string): string =>
    `registry:\n  identity_provider: {type: oidc-jwt, issuer: "https://id.example.com", audience: ${audience}}\n`;
  expect(audiencesOf({}, file('one'))).toEqual(['one']);
  expect(audiencesOf({}, file('[" two ", one, "", two]'))).toEqual(['two', 'one']);
  expect(start({}, file('[""]'))).toBe('config.oidc_jwt_audience_unset');
  expect(start({}, file('{a: b}'))).toBe('config.invalid');
});

verifies(['ERR-20', 'ERR-21'], 'session tokens need a file with a key', () => {
  const code = 'config.runtime_keys_unavailable';
  expect(start(without(INJECTED, 'CATALOG_RUNTIME_KEYS_PATH'))).toBe(code);
  expect(start({ ...INJECTED, CATALOG_RUNTIME_KEYS_PATH: 'none.json' })).toBe(code);
  expect(start(INJECTED)).toBeTypeOf('object');
});

verifies('ERR-22', 'an invalid key file stops startup with every provider', () => {
  for (const provider of [{}, OIDC, INJECTED, HEADERS]) {
    for (const path of ['broken.json', 'absent.json', '.']) {
      const env = { ...provider, CATALOG_RUNTIME_KEYS_PATH: path };
      expect(start(env), path).toBe('config.runtime_keys_unavailable');
    }
  }
});

verifies(
  'ERR-27',
  'headers are trusted from this machine, from an authenticated proxy, or on request',
  () => {
    const env = { ...HEADERS, ...PUBLIC_BIND };
    expect(start(env)).toBe('config.trusted_headers_public_bind');
    expect(start({ ...env, CATALOG_TRUSTED_PROXY_SECRET: ' ' })).toBe(
      'config.trusted_headers_public_bind',
    );
    expect(start({ ...env, CATALOG_TRUSTED_PROXY_SECRET: 'hush' })).toBeTypeOf('object');
    expect(start({ ...env, CATALOG_ALLOW_PUBLIC_BIND: 'true' })).toBeTypeOf('object');
    expect(start(HEADERS)).toBeTypeOf('object');
  },
);

verifies(
  'ERR-28',
  'a multi-tenant registry requires an authenticated proxy at any bind address',
  () => {
    const env = { ...HEADERS, CATALOG_MULTI_TENANT: 'true' };
    for (const more of [{}, PUBLIC_BIND, { ...PUBLIC_BIND, CATALOG_ALLOW_PUBLIC_BIND: 'true' }]) {
      expect(start({ ...env, ...more })).toBe('config.trusted_headers_multitenant_no_secret');
      expect(start({ ...env, ...more, CATALOG_TRUSTED_PROXY_SECRET: 'hush' })).toBeTypeOf('object');
    }
  },
);

describe('multi-tenant registry', () => {
  test('requires an identity provider', () => {
    expect(start({ CATALOG_MULTI_TENANT: 'true' })).toBe('config.invalid');
    expect(start({ CATALOG_MULTI_TENANT: 'true', CATALOG_PUBLIC_MODE: 'true' })).toBe(
      'config.invalid',
    );
    expect(start({ ...OIDC, CATALOG_MULTI_TENANT: 'true' })).toBeTypeOf('object');
  });

  test.each(['CATALOG_BOOTSTRAP_ADMINS', 'CATALOG_SCIM_TOKENS'])(
    'requires a tenant in %s',
    (name) => {
      const env = { ...OIDC, CATALOG_MULTI_TENANT: 'true' };
      expect(start({ ...env, [name]: 'acme=one,two' })).toBe('config.invalid');
      expect(start({ ...env, [name]: '=one' })).toBe('config.invalid');
      expect(start({ ...env, [name]: 'acme=' })).toBe('config.invalid');
      expect(start({ ...env, [name]: 'acme=one=' })).toBeTypeOf('object');
      expect(start({ ...OIDC, [name]: 'one' })).toBeTypeOf('object');
    },
  );
});

verifies('ERR-15', 'the web UI on a public bind address needs a provider and the flag', () => {
  const code = 'config.web_ui_public_bind_refused';
  const env = { ...PUBLIC_BIND, CATALOG_WEB_UI: 'true', CATALOG_ALLOW_PUBLIC_BIND: 'true' };
  const flag = { CATALOG_WEB_UI_ALLOW_PUBLIC_BIND: 'true' };
  expect(start(env)).toBe(code);
  expect(start({ ...env, ...flag })).toBe(code);
  expect(start({ ...env, ...OIDC })).toBe(code);
  expect(start({ ...env, ...OIDC, ...flag })).toBeTypeOf('object');
  expect(start({ CATALOG_WEB_UI: 'true' })).toBeTypeOf('object');
});

describe('browser sign-in', () => {
  const code = 'config.web_ui_auth_unconfigured';

  verifies(
    ['SESS-02', 'SESS-03', 'SESS-04', 'ERR-16'],
    'needs web UI, oidc-jwt, no public mode',
    () => {
      expect(start(BROWSER)).toBeTypeOf('object');
      expect(start({ ...BROWSER, CATALOG_WEB_UI: 'false' })).toBe(code);
      expect(start({ ...BROWSER, ...INJECTED })).toBe(code);
      expect(start({ ...BROWSER, ...HEADERS })).toBe(code);
      expect(start(without(BROWSER, 'CATALOG_IDENTITY_PROVIDER'))).toBe(code);
      expect(start({ ...BROWSER, CATALOG_PUBLIC_MODE: 'true' })).toBe(code);
    },
  );

  verifies(['SESS-05', 'ERR-16'], 'needs all five settings and reports the missing one', () => {
    const needed = [
      ['CATALOG_WEB_UI_OAUTH_CLIENT_ID', 'web_ui.oauth_client_id'],
      ['CATALOG_WEB_UI_OAUTH_CLIENT_SECRET', 'web_ui.oauth_client_secret'],
      ['CATALOG_WEB_UI_REDIRECT_URI', 'web_ui.redirect_uri'],
      ['CATALOG_WEB_UI_OAUTH_AUTHORIZATION_ENDPOINT', 'web_ui.oauth_authorization_endpoint'],
      ['CATALOG_WEB_UI_OAUTH_TOKEN_ENDPOINT', 'web_ui.oauth_token_endpoint'],
    ] as const;
    const home = temporaryFolder();
    for (const [name, key] of needed) {
      for (const blank of ['', ' ']) {
        const load = (): unknown =>
          loadSettings({ cwd: home, home, env: { ...BROWSER, [name]: blank }, flags: {} });
        expect(load).toThrow(
          expect.objectContaining({ code, message: expect.stringContaining(key) }),
        );
      }
    }
  });

  verifies('SESS-06', 'requires a redirect URI with https, or with http on this machine', () => {
    const at = (uri: string): string | Settings =>
      start({ ...BROWSER, CATALOG_WEB_UI_REDIRECT_URI: uri });
    for (const uri of [
      'https://catalog.example.com/v1/ui/auth/callback',
      'http://localhost:8080/v1/ui/auth/callback',
      'http://127.0.0.1:8080/v1/ui/auth/callback',
      'http://[::1]:8080/v1/ui/auth/callback',
    ]) {
      expect(at(uri), uri).toBeTypeOf('object');
    }
    for (const uri of [
      'http://catalog.example.com/v1/ui/auth/callback',
      'http://localhost.example.com/v1/ui/auth/callback',
      'http://127.0.0.1.example.com/cb',
      'ftp://localhost/cb',
      'app:/callback',
      '/v1/ui/auth/callback',
      'https://user@catalog.example.com/cb',
    ]) {
      expect(at(uri), uri).toBe(code);
    }
  });
});

describe('names of headers, groups and claims', () => {
  test.each(['', 'X Token', 'Cookie', 'host', 'X:Token', 'X-Tøken'])(
    'never use %j as a token header',
    (name) => {
      const env = { ...OIDC, CATALOG_OAUTH_TOKEN_HEADER: name };
      if (name === '')
        expect(start(env)).toMatchObject({ 'identity_provider.token_header': 'Authorization' });
      else expect(start(env)).toBe('config.invalid');
    },
  );

  test.each(['a', '=a', 'a=', 'a=b,c'])('reject %j as a group mapping', (entries) => {
    expect(start({ ...OIDC, CATALOG_IDP_GROUP_MAPPING: entries })).toBe('config.invalid');
  });

  test('must not be blank for claims', () => {
    expect(start({ ...OIDC, CATALOG_OAUTH_SUBJECT_CLAIM: ' upn' })).toBe('config.invalid');
    expect(start({ ...OIDC, CATALOG_OAUTH_GROUPS_CLAIM: ' ' })).toBe('config.invalid');
    expect(start({ ...OIDC, CATALOG_OAUTH_SUBJECT_CLAIM: 'upn' })).toBeTypeOf('object');
  });
});

test('a registry in dev mode rejects an identity provider', () => {
  const home = temporaryFolder();
  const load = (): unknown => loadSettings({ cwd: home, home, env: OIDC, flags: { dev: true } });
  expect(load).toThrow(expect.objectContaining({ code: 'config.invalid' }));
});

test('the password in an issuer URL is not repeated in the error', () => {
  const home = temporaryFolder();
  const env = { ...OIDC, CATALOG_OAUTH_ISSUER: 'https://u:hush@id.example.com' };
  try {
    loadSettings({ cwd: home, home, env, flags: {} });
  } catch (error) {
    expect(JSON.stringify(error) + String(error)).not.toContain('hush');
  }
  expect.assertions(1);
});

const DIMENSIONS = {
  mode: { standard: {}, public: { CATALOG_PUBLIC_MODE: 'true' } },
  tenants: { one: {}, several: { CATALOG_MULTI_TENANT: 'true' } },
  provider: {
    none: {},
    'oidc-jwt': {
      CATALOG_IDENTITY_PROVIDER: 'oidc-jwt',
      CATALOG_OAUTH_ISSUER: 'https://id.example.com',
    },
    'injected-session-token': {
      CATALOG_IDENTITY_PROVIDER: 'injected-session-token',
      CATALOG_RUNTIME_KEYS_PATH: 'keys.json',
    },
    'trusted-headers': HEADERS,
    'oauth-device-code': { CATALOG_IDENTITY_PROVIDER: 'oauth-device-code' },
  },
  bind: {
    loopback: {},
    everywhere: PUBLIC_BIND,
    allowed: { ...PUBLIC_BIND, CATALOG_ALLOW_PUBLIC_BIND: 'true' },
  },
  writes: {
    unset: {},
    deny: { CATALOG_OPEN_WRITES: 'deny' },
    allow: { CATALOG_OPEN_WRITES: 'allow' },
  },
  secret: { unset: {}, set: { CATALOG_TRUSTED_PROXY_SECRET: 'hush' } },
  ui: {
    off: {},
    on: { CATALOG_WEB_UI: 'true' },
    allowed: { CATALOG_WEB_UI: 'true', CATALOG_WEB_UI_ALLOW_PUBLIC_BIND: 'true' },
  },
  audience: { unset: {}, set: { CATALOG_OAUTH_AUDIENCE: 'catalog' } },
} as const satisfies Record<string, Record<string, Variables>>;

type Combination = { [Name in keyof typeof DIMENSIONS]: keyof (typeof DIMENSIONS)[Name] };

/** Each rule with its error code; the first match applies. */
const REFUSALS: readonly [code: string, holds: (given: Combination) => boolean][] = [
  ['config.identity_provider_unverified', (c) => c.provider === 'oauth-device-code'],
  [
    'config.web_ui_public_bind_refused',
    (c) =>
      c.ui !== 'off' && c.bind !== 'loopback' && !(c.ui === 'allowed' && c.provider !== 'none'),
  ],
  ['config.public_mode_with_idp', (c) => c.mode === 'public' && c.provider !== 'none'],
  ['config.invalid', (c) => c.tenants === 'several' && c.provider === 'none'],
  [
    'config.trusted_headers_multitenant_no_secret',
    (c) => c.provider === 'trusted-headers' && c.tenants === 'several' && c.secret === 'unset',
  ],
  ['config.oidc_jwt_audience_unset', (c) => c.provider === 'oidc-jwt' && c.audience === 'unset'],
  [
    'config.injected_token_audience_unset',
    (c) => c.provider === 'injected-session-token' && c.audience === 'unset',
  ],
  [
    'config.trusted_headers_public_bind',
    (c) => c.provider === 'trusted-headers' && c.bind === 'everywhere' && c.secret === 'unset',
  ],
  [
    'config.public_bind_refused',
    (c) =>
      c.provider === 'none' &&
      (c.bind === 'everywhere' || (c.bind === 'allowed' && c.writes === 'unset')),
  ],
];

function* combinations(): Generator<Combination> {
  let all: Record<string, string>[] = [{}];
  for (const [name, values] of Object.entries(DIMENSIONS)) {
    all = all.flatMap((so_far) =>
      Object.keys(values).map((value) => ({ ...so_far, [name]: value })),
    );
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of the table's own names
  for (const one of all) yield one as unknown as Combination;
}

test('every combination starts or is rejected with the code in the table', () => {
  let tried = 0;
  for (const combination of combinations()) {
    const env: Record<string, string> = {};
    for (const [name, values] of Object.entries<Record<string, Variables>>(DIMENSIONS)) {
      Object.assign(
        env,
        values[Object.entries(combination).find(([key]) => key === name)?.[1] ?? ''],
      );
    }
    const expected = REFUSALS.find(([, holds]) => holds(combination))?.[0] ?? 'starts';
    const found = start(env);
    expect(typeof found === 'string' ? found : 'starts', JSON.stringify(combination)).toBe(
      expected,
    );
    tried += 1;
  }
  expect(tried).toBe(2 * 2 * 5 * 3 * 3 * 2 * 3 * 2);
});

test('a missing key file does not affect other providers', () => {
  expect(start({ ...HEADERS, CATALOG_RUNTIME_KEYS_PATH: join('.', 'keys.json') })).toBeTypeOf(
    'object',
  );
});
