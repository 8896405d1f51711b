import { connect } from 'node:net';
import { join } from 'node:path';
import { previewScope } from '@catalog/contract/endpoints/discovery';
import { registerLayer } from '@catalog/contract/endpoints/layers';
import { readAudit, seedLayer } from '@catalog/testkit/layer-fixture';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { seenLayers } from '@catalog/testkit/seen-layers';
import { newSigningKey, signToken, type SigningKey } from '@catalog/testkit/signing-key';
import { temporaryFolder, writeTree } from '@catalog/testkit/temporary-folder';
import { describe, expect, test } from 'vitest';
import type { Settings } from '../config/settings.ts';
import { verifies } from '@catalog/testkit/verifies';

type Headers = Readonly<Record<string, string>>;

async function start(settings: Partial<Settings>): Promise<RegistryServer> {
  const server = await startRegistry({ settings });
  await seedLayer(server, { id: 'everybody', public: true });
  await seedLayer(server, { id: 'eng', organization: false, groups: ['eng'] });
  const users = ['joan', 'joan@example.com'];
  await seedLayer(server, { id: 'joan', organization: false, users });
  return server;
}

/** Returns the visible layers except the public one, or the error code. */
async function visibleLayers(server: RegistryServer, headers: Headers): Promise<string[] | string> {
  const layers = await seenLayers(server, headers);
  return typeof layers === 'string' ? layers : layers.filter((layer) => layer !== 'everybody');
}

describe('session tokens of a runtime', () => {
  const RUNTIME = 'https://runtime.test';

  async function startTrusting(key: SigningKey): Promise<{ server: RegistryServer; file: string }> {
    const folder = temporaryFolder();
    const file = join(folder, 'keys.json');
    writeTree(folder, { 'keys.json': fileOf(key) });
    const server = await start({
      'identity_provider.type': 'injected-session-token',
      'identity_provider.audience': ['catalog'],
      'identity_provider.runtime_keys_path': file,
    });
    return { server, file };
  }

  function fileOf(...keys: SigningKey[]): string {
    return JSON.stringify(
      keys.map(({ algorithm, public_key_pem }) => ({ issuer: RUNTIME, algorithm, public_key_pem })),
    );
  }

  function session(key: SigningKey, more: object = {}): Headers {
    const exp = Math.floor(Date.now() / 1000) + 600;
    const claims = {
      iss: RUNTIME,
      act: { sub: RUNTIME },
      aud: 'catalog',
      sub: 'joan',
      exp,
      ...more,
    };
    return { authorization: `Bearer ${signToken(key, claims)}` };
  }

  verifies(['AUTH-04', 'AUTH-06', 'ERR-05'], 'are verified on every call', async () => {
    const key = await newSigningKey('EdDSA');
    const { server } = await startTrusting(key);
    expect(await visibleLayers(server, session(key, { groups: ['eng'] }))).toEqual(['eng', 'joan']);
    expect(await visibleLayers(server, {})).toEqual([]);
    expect(await visibleLayers(server, session(key, { aud: ['x', 'catalog'] }))).toEqual(['joan']);
    for (const aud of [undefined, 'x', [], '']) {
      expect(await visibleLayers(server, session(key, { aud }))).toBe('auth.untrusted_runtime');
    }
    const { status, headers, body } = await server.request(previewScope, {
      headers: session(await newSigningKey('EdDSA')),
    });
    expect({ status, body }).toMatchObject({
      status: 401,
      body: { code: 'auth.untrusted_runtime', details: { runtime_iss: RUNTIME } },
    });
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect(await visibleLayers(server, session(key, { exp: 1 }))).toBe('auth.token_expired');
    expect(await visibleLayers(server, session(key, { act: 'joan' }))).toBe(
      'auth.untrusted_runtime',
    );
    // `act` is mandatory only for runtimes registered with --require-act (SPEC-71).
    expect(await visibleLayers(server, session(key, { act: undefined }))).toEqual(['joan']);
  });

  verifies('AUTH-05', 'of a key added later are accepted after the next start', async () => {
    const [first, second] = [await newSigningKey('ES256'), await newSigningKey('ES256')];
    const { server, file } = await startTrusting(first);
    writeTree(join(file, '..'), { 'keys.json': fileOf(first, second) });
    expect(await visibleLayers(server, session(second))).toBe('auth.untrusted_runtime');
    expect(await visibleLayers(server, session(first))).toEqual(['joan']);
    const next = await start({
      'identity_provider.type': 'injected-session-token',
      'identity_provider.audience': ['catalog'],
      'identity_provider.runtime_keys_path': file,
    });
    expect(await visibleLayers(next, session(second))).toEqual(['joan']);
  });
});

describe('proxy headers', () => {
  const HEADERS = { 'identity_provider.type': 'trusted-headers' } as const;
  const SECRET = { 'x-catalog-proxy-secret': 'hush' };

  verifies('AUTH-22', 'identify the caller', async () => {
    const server = await start(HEADERS);
    expect(await visibleLayers(server, {})).toEqual([]);
    expect(await visibleLayers(server, { 'x-catalog-user-sub': 'joan' })).toEqual(['joan']);
    expect(
      await visibleLayers(server, {
        'x-catalog-user-sub': 'u',
        'x-catalog-user-email': 'joan@example.com',
      }),
    ).toEqual(['joan']);
    expect(
      await visibleLayers(server, {
        'x-catalog-user-sub': 'u',
        'x-catalog-user-groups': 'art, eng',
      }),
    ).toEqual(['eng']);
    expect(
      await visibleLayers(server, {
        'x-catalog-user-sub': 'joan',
        'x-catalog-user-org': 'anything',
      }),
    ).toEqual(['joan']);
    expect(await visibleLayers(server, { 'x-catalog-user-groups': 'eng' })).toEqual([]);
  });

  verifies('AUTH-23', 'require the secret if one is configured', async () => {
    const server = await start({ ...HEADERS, 'identity_provider.proxy_secret': 'hush' });
    const joan = { 'x-catalog-user-sub': 'joan' };
    expect(await visibleLayers(server, { ...joan, ...SECRET })).toEqual(['joan']);
    for (const secret of [undefined, '', 'hus', 'hushh', 'Hush', 'hush,hush']) {
      const more = secret === undefined ? {} : { 'x-catalog-proxy-secret': secret };
      expect(await visibleLayers(server, { ...joan, ...more }), secret).toEqual([]);
    }
  });

  test('are also accepted with the previous secret during a rotation', async () => {
    const server = await start({
      ...HEADERS,
      'identity_provider.proxy_secret': 'new',
      'identity_provider.previous_proxy_secret': 'hush',
    });
    const joan = { 'x-catalog-user-sub': 'joan' };
    expect(await visibleLayers(server, { ...joan, ...SECRET })).toEqual(['joan']);
    expect(await visibleLayers(server, { ...joan, 'x-catalog-proxy-secret': 'new' })).toEqual([
      'joan',
    ]);
    for (const secret of ['', 'new,hush', 'newhush']) {
      expect(
        await visibleLayers(server, { ...joan, 'x-catalog-proxy-secret': secret }),
        secret,
      ).toEqual([]);
    }
  });

  function answerTo(server: RegistryServer, ...lines: string[]): Promise<string> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const head = ['GET /v1/scope/preview HTTP/1.1', `Host: ${hostname}:${port}`, ...lines];
        socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'latin1');
      });
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      socket.once('error', reject);
      socket.once('end', () => {
        const status = /^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? '';
        const layers = /"layers":\[([^\]]*)\]/.exec(text)?.[1];
        resolve(`${status} ${/"code":"([^"]+)"/.exec(text)?.[1] ?? layers ?? ''}`.trim());
      });
    });
  }

  test('are rejected or ignored if repeated, joined, folded, misspelled, or with a NUL', async () => {
    const server = await start({ ...HEADERS, 'identity_provider.proxy_secret': 'hush' });
    const secret = 'X-Catalog-Proxy-Secret: hush';
    const sub = 'X-Catalog-User-Sub: joan';
    const ask = (...lines: string[]): Promise<string> => answerTo(server, ...lines);
    const refused = '400 registry.invalid_argument';
    const anonymous = '200 "everybody"';
    expect(await ask(secret, sub)).toBe('200 "everybody","joan"');
    expect(await ask(secret, sub, sub)).toBe(refused);
    expect(await ask(secret, sub, 'x-catalog-user-sub: admin')).toBe(refused);
    expect(await ask(secret, sub, 'X-Catalog-User-Groups: a', 'X-CATALOG-USER-GROUPS: b')).toBe(
      refused,
    );
    expect(await ask(secret, secret, sub)).toBe(refused);
    expect(await ask(sub, sub)).toBe(refused);
    expect(await ask(secret, 'X_Catalog_User_Sub: joan')).toBe(anonymous);
    expect(await ask(secret, 'X-Catalog-User-Sub: joan, admin')).toBe(anonymous);
    expect(await ask(secret, 'X-Catalog-User-Sub:')).toBe(anonymous);
    expect(await ask(secret, 'X-Catalog-User-Sub: \u00FF')).toBe(refused);
    expect(await ask(sub)).toBe(anonymous);
    // Node rejects these requests before the registry reads them.
    for (const line of [
      'X-Catalog-User-Sub: jo\u0000an',
      'X-Catalog-User-Sub: a\r\n joan',
      'X-Catalog-User-Sub : joan',
    ]) {
      expect(await ask(secret, line), line).toMatch(/^400/);
    }
  });
});

verifies(
  'MODE-01',
  'public mode requires no credential, and its audit records name the public caller',
  async () => {
    const server = await start({ public_mode: true });
    expect(await visibleLayers(server, {})).toEqual(['eng', 'joan']);
    expect(await visibleLayers(server, { authorization: 'Bearer x' })).toEqual(['eng', 'joan']);
    const body = { id: 'new', source_type: 'git', repo: 'https://git.example.com/x.git' };
    expect((await server.request(registerLayer, { body })).status).toBe(201);
    expect(await readAudit(server)).toMatchObject([{ 'caller.identity': 'system:public' }]);
  },
);

verifies('ADMIN-19', 'runtime keys have no endpoint', async () => {
  const open = await start({});
  const guarded = await start({
    'identity_provider.type': 'trusted-headers',
    bootstrap_admins: ['root'],
  });
  for (const server of [open, guarded]) {
    for (const method of ['GET', 'POST']) {
      const { status, body } = await server.request('/v1/admin/runtime', {
        method,
        headers: { 'x-catalog-user-sub': 'root' },
        ...(method === 'POST' ? { body: {} } : {}),
      });
      expect({ status, body }).toMatchObject({ status: 404, body: { code: 'registry.not_found' } });
    }
  }
});

describe('refused start', () => {
  const OIDC: Partial<Settings> = {
    'identity_provider.type': 'oidc-jwt',
    'identity_provider.issuer': 'https://127.0.0.1:1',
    'identity_provider.audience': ['catalog'],
  };
  const BROWSER: Partial<Settings> = {
    ...OIDC,
    'web_ui.enabled': true,
    'web_ui.auth': true,
    'web_ui.oauth_client_id': 'catalog',
    'web_ui.oauth_client_secret': 'hush',
    'web_ui.redirect_uri': 'https://catalog.example.com/v1/ui/auth/callback',
    'web_ui.oauth_authorization_endpoint': 'https://127.0.0.1:1/authorize',
    'web_ui.oauth_token_endpoint': 'https://127.0.0.1:1/token',
  };

  async function refuses(
    settings: Partial<Settings>,
    code: string,
    changes: Partial<Settings>[],
  ): Promise<void> {
    const server = await startRegistry({ settings });
    expect((await server.request('/healthz')).status).toBe(200);
    for (const change of changes) {
      const starting = startRegistry({ settings: { ...settings, ...change } });
      await expect(starting, JSON.stringify(change)).rejects.toMatchObject({ code });
    }
  }

  verifies('AUTH-24', 'with a provider that cannot verify tokens', async () => {
    const type = 'oauth-device-code';
    await refuses(OIDC, 'config.identity_provider_unverified', [
      { 'identity_provider.type': type },
    ]);
  });

  verifies(['AUTH-03', 'AUTH-30'], 'with an empty set of audiences', async () => {
    await refuses(OIDC, 'config.oidc_jwt_audience_unset', [
      { 'identity_provider.audience': [] },
      { 'identity_provider.audience': ['', ' '] },
    ]);
  });

  verifies(
    ['SESS-02', 'SESS-03', 'SESS-04', 'SESS-05', 'SESS-06'],
    'with an incomplete browser sign-in',
    async () => {
      await refuses(BROWSER, 'config.web_ui_auth_unconfigured', [
        { 'web_ui.enabled': false },
        { 'identity_provider.type': 'trusted-headers' },
        { 'identity_provider.type': undefined },
        { public_mode: true },
        { 'web_ui.oauth_client_id': undefined },
        { 'web_ui.oauth_client_secret': '' },
        { 'web_ui.redirect_uri': undefined },
        { 'web_ui.oauth_authorization_endpoint': '' },
        { 'web_ui.oauth_token_endpoint': undefined },
        { 'web_ui.redirect_uri': 'http://catalog.example.com/v1/ui/auth/callback' },
      ]);
      await refuses({ ...BROWSER, 'web_ui.redirect_uri': 'http://localhost:1/callback' }, '', []);
    },
  );
});
