import { searchArtifacts } from '@catalog/contract/endpoints/discovery';
import { listLayers } from '@catalog/contract/endpoints/layers';
import { seedLayer } from '@catalog/testkit/layer-fixture';
import { oidcSettings } from '@catalog/testkit/provider-in-test';
import { startRegistry, type RegistryServer } from '@catalog/testkit/registry-server';
import { seenLayers } from '@catalog/testkit/seen-layers';
import { newSigningKey, signWithSecret } from '@catalog/testkit/signing-key';
import { errorOf } from '@catalog/testkit/checked-response';
import { startTokenIssuer, TEST_AUDIENCE, type TokenIssuer } from '@catalog/testkit/token-issuer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '../config/settings.ts';
import { verifies } from '@catalog/testkit/verifies';

type Headers = Readonly<Record<string, string>>;

let issuer: TokenIssuer;
let server: RegistryServer;

beforeAll(async () => {
  issuer = await startTokenIssuer({ keep: true });
  server = await startWith({}, true);
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

async function startWith(settings: Partial<Settings>, keep?: true): Promise<RegistryServer> {
  const started = await startRegistry({
    ...(keep === undefined ? {} : { keep }),
    settings: { ...oidcSettings(issuer), ...settings },
  });
  await seedLayer(started, { id: 'everybody', public: true });
  await seedLayer(started, { id: 'signed-in', organization: true });
  for (const group of ['eng', 'admins', 'eng,admins']) {
    await seedLayer(started, { id: `group:${group}`, organization: false, groups: [group] });
  }
  for (const user of ['joan', 'joan@example.com', 'admin']) {
    await seedLayer(started, { id: `user:${user}`, organization: false, users: [user] });
  }
  return started;
}

function bearer(token: string): Headers {
  return { authorization: `Bearer ${token}` };
}

async function visibleLayers(headers: Headers, at = server): Promise<string[] | string> {
  const layers = await seenLayers(at, headers);
  if (typeof layers === 'string') return layers;
  expect(layers).toContain('everybody');
  return layers.filter((layer) => layer !== 'everybody');
}

describe('bearer token', () => {
  verifies(
    ['CONV-05', 'AUTH-01', 'AUTH-02', 'AUTH-08'],
    'shows the layers of its subject',
    async () => {
      const email = { email: 'joan@example.com', email_verified: true };
      const claims = { sub: 'joan', ...email, groups: ['eng'] };
      expect(await visibleLayers(bearer(issuer.mint(claims)))).toEqual([
        'group:eng',
        'signed-in',
        'user:joan',
        'user:joan@example.com',
      ]);
      expect(await visibleLayers(bearer(issuer.mint({ sub: 'zoe' })))).toEqual(['signed-in']);
      const forged = issuer.mint(claims, {
        key: await newSigningKey('ES256', issuer.keys[0]?.kid),
      });
      expect(await visibleLayers(bearer(forged))).toBe('auth.untrusted_token');
    },
  );

  // `users` contains subjects and verified e-mail addresses (SPEC-78).
  test('shows no layers of another user because of its e-mail claim', async () => {
    const who = async (claims: object, at = server) =>
      visibleLayers(bearer(issuer.mint({ ...claims })), at);
    // The subject `joan` differs from a user with the address `joan`.
    for (const email_verified of [undefined, true]) {
      expect(await who({ sub: 's2', email: 'joan', email_verified })).toEqual(['signed-in']);
    }
    const email = 'joan@example.com';
    for (const email_verified of [undefined, null, false, 'false', 'true', 1, 'yes']) {
      expect(await who({ sub: 's2', email, email_verified })).toEqual(['signed-in']);
    }
    const mailed = ['signed-in', 'user:joan@example.com'];
    expect(await who({ sub: 's2', email, email_verified: true })).toEqual(mailed);
    expect(await who({ sub: email })).toEqual(mailed);
    const trusting = await startWith({ 'identity_provider.trust_email': true });
    expect(await who({ sub: 's2', email }, trusting)).toEqual(mailed);
    expect(await who({ sub: 's2', email: 'joan' }, trusting)).toEqual(['signed-in']);
    expect(await who({ sub: 's2', email, email_verified: false }, trusting)).toEqual(['signed-in']);
  });

  verifies('AUTH-13', 'is optional: a request without one sees public layers', async () => {
    expect(await visibleLayers({})).toEqual([]);
    expect(await visibleLayers({ authorization: 'Basic am9hbg==' })).toEqual([]);
    expect((await server.request(listLayers)).body).toEqual({ layers: [] });
  });

  verifies(
    ['ERR-06', 'AUTH-08'],
    'that fails verification is rejected, and the error names its issuer',
    async () => {
      const { jwk, public_key_pem } = issuer.keys[0] ?? (await newSigningKey('ES256'));
      const claims = { iss: issuer.issuer, aud: TEST_AUDIENCE, sub: 'admin', exp: 4_000_000_000 };
      const [header = '', payload = ''] = issuer.mint().split('.');
      const tokens: [string, string][] = [
        ['another signature', `${header}.${payload}.${'A'.repeat(86)}`],
        ['another issuer', issuer.mint({ iss: 'https://other.test' })],
        ['another audience', issuer.mint({ aud: 'https://other.test' })],
        ['no signature', `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`],
        ['a keyed hash', signWithSecret(public_key_pem, { alg: 'HS256', kid: jwk.kid }, claims)],
        ['a key of its own', issuer.mint({}, { header: { jwk, kid: 'other' } })],
        ['no exp', issuer.mint({ exp: undefined })],
        ['nbf tomorrow', issuer.mint({ nbf: Math.floor(Date.now() / 1000) + 86_400 })],
        ['no subject', issuer.mint({ sub: undefined })],
      ];
      for (const [what, token] of tokens) {
        const { status, headers, body } = await server.request(searchArtifacts, {
          headers: bearer(token),
        });
        expect({ what, status, body }).toMatchObject({
          status: 401,
          body: {
            code: 'auth.untrusted_token',
            message: expect.stringContaining(issuer.issuer),
          },
        });
        const named = what === 'another issuer' ? 'https://other.test' : issuer.issuer;
        const expected = what === 'no signature' ? {} : { token_iss: named };
        expect(errorOf(body)?.details, what).toEqual(expected);
        expect(headers['www-authenticate']).toBe(
          `Bearer error="invalid_token", resource_metadata="${server.url}/.well-known/oauth-protected-resource"`,
        );
      }
    },
  );

  verifies('ERR-08', 'past its exp returns auth.token_expired', async () => {
    const token = issuer.mint({ exp: Math.floor(Date.now() / 1000) - 120 });
    const { status, headers, body } = await server.request(searchArtifacts, {
      headers: bearer(token),
    });
    expect({ status, body }).toMatchObject({ status: 401, body: { code: 'auth.token_expired' } });
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
  });
});

describe('location of the token', () => {
  verifies('AUTH-09', 'is the configured header', async () => {
    const at = await startWith({ 'identity_provider.token_header': 'X-Access-Token' });
    const token = `Bearer ${issuer.mint({ sub: 'joan' })}`;
    expect(await visibleLayers({ 'x-access-token': token }, at)).toContain('user:joan');
    expect(await visibleLayers({ authorization: token }, at)).toEqual([]);
    const other = `Bearer ${issuer.mint({ sub: 'admin' })}`;
    expect(
      await visibleLayers({ 'x-access-token': token, authorization: other }, at),
    ).not.toContain('user:admin');
  });

  const browser = (): Partial<Settings> => ({
    'web_ui.enabled': true,
    'web_ui.auth': true,
    'web_ui.oauth_client_id': 'catalog',
    'web_ui.oauth_client_secret': 'hush',
    'web_ui.redirect_uri': 'http://127.0.0.1:1/v1/ui/auth/callback',
    'web_ui.oauth_authorization_endpoint': `${issuer.issuer}/authorize`,
    'web_ui.oauth_token_endpoint': `${issuer.issuer}/token`,
  });
  const cookie = (token: string): Headers => ({
    cookie: `a=b; __Host-catalog_session=${token}; c=d`,
  });

  verifies(['AUTH-10', 'AUTH-12'], 'is the session cookie if the header has no token', async () => {
    const at = await startWith(browser());
    const joan = issuer.mint({ sub: 'joan' });
    expect(await visibleLayers(cookie(joan), at)).toContain('user:joan');
    expect(await visibleLayers({ ...cookie(joan), authorization: 'Basic x' }, at)).toContain(
      'user:joan',
    );
    const both = { ...cookie(joan), ...bearer(issuer.mint({ sub: 'admin' })) };
    expect(await visibleLayers(both, at)).toEqual(['signed-in', 'user:admin']);
    const bad = { ...cookie(joan), ...bearer('x') };
    expect(await visibleLayers(bad, at)).toBe('auth.untrusted_token');
    expect(await visibleLayers(cookie('x'), at)).toBe('auth.untrusted_token');
    expect(await visibleLayers({ cookie: `__Host-catalog_sessionx=${joan}` }, at)).toEqual([]);
  });

  verifies('AUTH-11', 'is never the cookie without browser sign-in', async () => {
    expect(await visibleLayers(cookie(issuer.mint({ sub: 'joan' })))).toEqual([]);
    expect(await visibleLayers(cookie('x'))).toEqual([]);
  });

  verifies('AUTH-31', 'browser sign-in requests the first audience', async () => {
    const at = await startWith({
      ...browser(),
      'identity_provider.audience': [' ', ' one ', 'two'],
    });
    const { status, headers } = await at.request('/v1/ui/auth/sign-in');
    expect(status).toBe(302);
    expect(new URL(headers.location ?? '').searchParams.get('audience')).toBe('one');
  });
});

describe('accepted issuers', () => {
  verifies(
    ['AUTH-14', 'AUTH-15', 'AUTH-16'],
    'are the configured one and its other name',
    async () => {
      const own = await startTokenIssuer();
      const other = await startTokenIssuer({ authority: own.authority });
      own.discovery['access_token_issuer'] = other.issuer;
      const at = await startWith(oidcSettings(own));
      expect(await visibleLayers(bearer(own.mint()), at)).toContain('user:joan');
      expect(await visibleLayers(bearer(own.mint({ iss: other.issuer })), at)).toContain(
        'user:joan',
      );
      expect(await visibleLayers(bearer(other.mint()), at)).toBe('auth.untrusted_token');
      expect(await visibleLayers(bearer(own.mint({ iss: `${other.issuer}/` })), at)).toBe(
        'auth.untrusted_token',
      );
      expect(other.requests).toEqual([]);
    },
  );
});

describe('claims', () => {
  verifies(['AUTH-17', 'AUTH-18'], 'the subject is read from the configured claim', async () => {
    const at = await startWith({ 'identity_provider.subject_claim': 'upn' });
    expect(await visibleLayers(bearer(issuer.mint({ sub: 'admin', upn: 'joan' })), at)).toEqual([
      'signed-in',
      'user:joan',
    ]);
    expect(await visibleLayers(bearer(issuer.mint({ sub: 'admin' })), at)).toBe(
      'auth.untrusted_token',
    );
  });

  verifies('AUTH-19', 'groups are read from the configured claim', async () => {
    const at = await startWith({ 'identity_provider.groups_claim': 'roles' });
    const token = issuer.mint({ sub: 'zoe', groups: ['admins'], roles: ['eng'] });
    expect(await visibleLayers(bearer(token), at)).toEqual(['group:eng', 'signed-in']);
  });

  verifies(
    ['AUTH-20', 'AUTH-21'],
    'a list contains several groups, and a string is one group',
    async () => {
      const groups = async (value: unknown): Promise<unknown> =>
        visibleLayers(bearer(issuer.mint({ sub: 'zoe', groups: value })));
      expect(await groups(['eng', 'admins'])).toEqual(['group:admins', 'group:eng', 'signed-in']);
      expect(await groups('eng,admins')).toEqual(['group:eng,admins', 'signed-in']);
      expect(await groups('eng')).toEqual(['group:eng', 'signed-in']);
    },
  );
});

verifies(
  ['AUTH-25', 'AUTH-26', 'AUTH-27', 'AUTH-28', 'AUTH-29'],
  'a token must match one of the audiences exactly',
  async () => {
    const at = await startWith({ 'identity_provider.audience': [' one ', '', 'two', 'one'] });
    const of = async (aud: unknown): Promise<boolean> =>
      (await visibleLayers(bearer(issuer.mint({ aud })), at)) !== 'auth.untrusted_token';
    for (const aud of ['one', 'two', ['one'], ['x', 'two'], ['one', 'two']]) {
      expect(await of(aud), JSON.stringify(aud)).toBe(true);
    }
    for (const aud of [undefined, [], '', [''], ' one ', 'one,two', ['x'], [['one']], null]) {
      expect(await of(aud), JSON.stringify(aud)).toBe(false);
    }
  },
);

describe('token content', () => {
  test('appears in no response and no log line', async () => {
    const own = await startTokenIssuer();
    const at = await startRegistry({ settings: { ...oidcSettings(own), 'log.level': 'trace' } });
    const past = Math.floor(Date.now() / 1000) - 120;
    const tokens = [
      own.mint({ sub: 'joan', secret: 'canary-claim' }),
      own.mint({ sub: 'joan', exp: past, secret: 'canary-claim' }),
      own.mint({ sub: 'joan', aud: 'x', secret: 'canary-claim' }),
      'canary-text.canary-text.canary-text',
      'canary-text',
    ];
    await own.stop();
    tokens.push(own.mint({ secret: 'canary-claim' }, { header: { kid: 'other' } }));
    let output = '';
    for (const token of tokens) {
      for (const headers of [
        bearer(token),
        { authorization: token },
        { cookie: `__Host-catalog_session=${token}` },
      ]) {
        const answer = await at.request('/v1/catalog', { headers });
        output += JSON.stringify(answer.headers) + answer.raw.toString();
      }
    }
    await expect
      .poll(() => at.log.filter((line) => line.includes('"catalog"')).length)
      .toBeGreaterThan(10);
    output += at.log.join('\n');
    const parts = tokens.flatMap((token) => token.split('.')).filter((part) => part.length > 8);
    for (const part of [...parts, 'canary']) expect(output).not.toContain(part);
  });
});
