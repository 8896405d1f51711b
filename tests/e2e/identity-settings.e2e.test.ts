import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newSigningKey, signToken, type SigningKey } from '@catalog/testkit/signing-key';
import { describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';
import { openWorkspace, type Workspace } from './workspace.ts';

type Variables = Readonly<Record<string, string>>;

const OIDC: Variables = {
  CATALOG_IDENTITY_PROVIDER: 'oidc-jwt',
  CATALOG_OAUTH_ISSUER: 'https://id.example.com',
  CATALOG_OAUTH_AUDIENCE: 'catalog',
};
const INJECTED: Variables = {
  CATALOG_IDENTITY_PROVIDER: 'injected-session-token',
  CATALOG_OAUTH_AUDIENCE: 'catalog',
  CATALOG_RUNTIME_KEYS_PATH: 'keys.json',
};
const HEADERS: Variables = { CATALOG_IDENTITY_PROVIDER: 'trusted-headers' };

/** Starts a server that must exit with code 2; returns the error code. */
async function expectStartError(env: Variables, flags = '', files = {}): Promise<string> {
  const workspace = openWorkspace({}, files);
  const { code, error } = await workspace.error(`serve --bind 127.0.0.1:0 ${flags}`.trim(), env);
  expect(code).toBe(2);
  return error.code;
}

describe('catalog serve', () => {
  verifies(['ERR-13'], 'rejects public mode with an identity provider', async () => {
    expect(await expectStartError(OIDC, '--public-mode')).toBe('config.public_mode_with_idp');
  });

  verifies('ERR-15', 'rejects the web UI on a public address', async () => {
    const code = 'config.web_ui_public_bind_refused';
    expect(await expectStartError({}, '--bind 0.0.0.0:0 --web-ui --allow-public-bind')).toBe(code);
    expect(await expectStartError(OIDC, '--bind 0.0.0.0:0 --web-ui')).toBe(code);
  });

  verifies(
    'ERR-16',
    'rejects an incomplete browser sign-in and names the missing setting',
    async () => {
      const workspace = openWorkspace();
      const { error } = await workspace.error(
        'serve --bind 127.0.0.1:0 --web-ui --web-ui-auth',
        OIDC,
      );
      expect(error).toMatchObject({
        code: 'config.web_ui_auth_unconfigured',
        message: expect.stringContaining('web_ui.oauth_client_id'),
      });
    },
  );

  verifies('ERR-17', 'rejects an issuer with plain HTTP', async () => {
    const env = { ...OIDC, CATALOG_OAUTH_ISSUER: 'http://id.example.com' };
    expect(await expectStartError(env)).toBe('config.invalid_issuer_scheme');
  });

  verifies(['ERR-18', 'ERR-19'], 'rejects an empty token audience', async () => {
    const none = { CATALOG_OAUTH_AUDIENCE: ' , ' };
    expect(await expectStartError({ ...OIDC, ...none })).toBe('config.oidc_jwt_audience_unset');
    expect(await expectStartError({ ...INJECTED, ...none })).toBe(
      'config.injected_token_audience_unset',
    );
  });

  verifies(['ERR-20', 'ERR-21', 'ERR-22'], 'rejects missing and invalid runtime keys', async () => {
    const code = 'config.runtime_keys_unavailable';
    const { CATALOG_RUNTIME_KEYS_PATH: _, ...unnamed } = INJECTED;
    expect(await expectStartError(unnamed)).toBe(code);
    expect(await expectStartError(INJECTED)).toBe(code);
    expect(await expectStartError(INJECTED, '', { 'keys.json': '[]' })).toBe(code);
    const broken = { 'keys.json': '{"issuer":' };
    for (const env of [{}, OIDC, HEADERS, INJECTED]) {
      const named = { ...env, CATALOG_RUNTIME_KEYS_PATH: 'keys.json' };
      expect(await expectStartError(named, '', broken)).toBe(code);
    }
  });

  verifies(['ERR-27', 'ERR-28'], 'rejects trusted headers that any client could send', async () => {
    expect(await expectStartError(HEADERS, '--bind 0.0.0.0:0')).toBe(
      'config.trusted_headers_public_bind',
    );
    expect(await expectStartError({ ...HEADERS, CATALOG_MULTI_TENANT: 'true' })).toBe(
      'config.trusted_headers_multitenant_no_secret',
    );
  });

  verifies(['ERR-29', 'AUTH-24'], 'rejects a provider that cannot verify tokens', async () => {
    const env = { CATALOG_IDENTITY_PROVIDER: 'oauth-device-code' };
    expect(await expectStartError(env)).toBe('config.identity_provider_unverified');
  });
});

const RUNTIME = 'https://runtime.example.com';

function register(workspace: Workspace, { algorithm, public_key_pem }: SigningKey): string[] {
  writeFileSync(join(workspace.root, 'runtime.pub.pem'), public_key_pem);
  const line = `admin runtime register --keys-file keys.json --public-key-file runtime.pub.pem --issuer ${RUNTIME} --algorithm ${algorithm}`;
  return line.split(' ');
}

async function serve(workspace: Workspace, env: Variables): Promise<string> {
  const running = workspace.start('serve --json --bind 127.0.0.1:0', env);
  const [, url = ''] = await running.waitFor('stderr', /"url":"([^"]+)"[^}]*"listening"/);
  return url;
}

describe('catalog admin runtime register', () => {
  verifies(
    ['CLI-11', 'CLI-12', 'AUTH-07', 'KEY-10'],
    'writes a file that a registry trusts, without sending a request',
    async () => {
      const workspace = openWorkspace();
      const key = await newSigningKey('ES256');
      const other = await newSigningKey('ES256');
      const { stdout } = await workspace.ok(register(workspace, key), {
        // No server listens on this port, so a request would fail.
        CATALOG_REGISTRY: 'http://127.0.0.1:9',
      });
      expect(stdout).toContain(`now trusts ${RUNTIME} (ES256)`);
      const url = await serve(workspace, INJECTED);
      const status = async (signer: SigningKey): Promise<number> => {
        const exp = Math.floor(Date.now() / 1000) + 600;
        const claims = { iss: RUNTIME, act: RUNTIME, aud: 'catalog', sub: 'joan', exp };
        const headers = { authorization: `Bearer ${signToken(signer, claims)}` };
        return (await fetch(`${url}/v1/catalog`, { headers })).status;
      };
      expect(await status(key)).toBe(200);
      expect(await status(other)).toBe(401);
      // The registry has no endpoint to register a runtime.
      const posted = await fetch(`${url}/v1/admin/runtime`, { method: 'POST', body: '{}' });
      expect(posted.status).toBe(404);
    },
  );

  test('adds a second key, ignores a known key, and replaces keys on request', async () => {
    const workspace = openWorkspace();
    const [first, second] = [await newSigningKey('EdDSA'), await newSigningKey('EdDSA')];
    const file = join(workspace.root, 'keys.json');
    const run = async (key: SigningKey, ...more: string[]): Promise<unknown> =>
      (await workspace.json([...register(workspace, key), ...more])).document;
    expect(await run(first)).toMatchObject({ added: true, keys: 1, algorithm: 'EdDSA' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run(first)).toMatchObject({ added: false, keys: 1 });
    expect(await run(second)).toMatchObject({ added: true, keys: 2 });
    expect(await run(second, '--replace')).toMatchObject({ added: false, keys: 1 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([
      { issuer: RUNTIME, algorithm: 'EdDSA', public_key_pem: second.public_key_pem },
    ]);
  });

  verifies(
    'CLI-11',
    '--require-act makes the claim mandatory until --replace drops it',
    async () => {
      const workspace = openWorkspace();
      const [first, second] = [await newSigningKey('ES256'), await newSigningKey('ES256')];
      const run = async (key: SigningKey, ...more: string[]): Promise<unknown> =>
        (await workspace.json([...register(workspace, key), ...more])).document;
      expect(await run(first)).toMatchObject({ added: true, requires_act: false });
      expect(await run(first, '--require-act')).toMatchObject({ added: false, requires_act: true });
      // Registering the same key or a second one without the flag keeps the requirement.
      expect(await run(first)).toMatchObject({ requires_act: true });
      expect(await run(second)).toMatchObject({ added: true, keys: 2, requires_act: true });
      const url = await serve(workspace, INJECTED);
      const status = async (act: string | undefined): Promise<number> => {
        const exp = Math.floor(Date.now() / 1000) + 600;
        const claims = { iss: RUNTIME, act, aud: 'catalog', sub: 'joan', exp };
        const headers = { authorization: `Bearer ${signToken(second, claims)}` };
        return (await fetch(`${url}/v1/catalog`, { headers })).status;
      };
      expect(await status(RUNTIME)).toBe(200);
      expect(await status(undefined)).toBe(401);
      expect(await run(second, '--replace')).toMatchObject({ keys: 1, requires_act: false });
    },
  );

  test('rejects input that a registry would reject, and writes nothing', async () => {
    const workspace = openWorkspace({}, { 'bad.json': '{' });
    const key = await newSigningKey('ES256');
    const words = register(workspace, key);
    const refuse = async (line: string[]): Promise<string> =>
      (await workspace.error(line)).error.code;
    const swap = (from: string, to: string): string[] =>
      words.map((word) => (word === from ? to : word));
    expect(await refuse(swap('ES256', 'RS256'))).toBe('config.runtime_keys_unavailable');
    expect(await refuse(swap('keys.json', 'bad.json'))).toBe('config.runtime_keys_unavailable');
    expect(await refuse(swap('keys.json', 'absent/keys.json'))).toBe(
      'config.runtime_keys_unavailable',
    );
    expect(await refuse(swap('runtime.pub.pem', 'absent.pem'))).toBe('config.not_found');
    expect(await refuse(swap('ES256', 'HS256'))).toBe('config.usage');
    expect(await refuse(words.slice(0, -2))).toBe('config.usage');
    const secret = key.private_key.export({ format: 'pem', type: 'pkcs8' }).toString();
    writeFileSync(join(workspace.root, 'runtime.pub.pem'), secret);
    const { error, stderr } = await workspace.error(words);
    expect(error.code).toBe('config.runtime_keys_unavailable');
    expect(error.suggested_action).toContain('-pubout');
    expect(JSON.stringify(error) + stderr).not.toContain(secret.split('\n')[1]);
    expect(readFileSync(join(workspace.root, 'bad.json'), 'utf8')).toBe('{');
  });
});
