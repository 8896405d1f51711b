import { hash } from 'node:crypto';
import { session, signIn, signInCallback } from '@catalog/contract/endpoints/browser';
import { loadSettings } from '@catalog/server/config/load';
import { startRegistry } from '@catalog/testkit/registry-server';
import {
  CALLBACK,
  openSignInPlace,
  SESSION_COOKIE,
  SIGN_IN,
  TRANSACTION_COOKIE,
  type SignInPlace,
} from '@catalog/testkit/sign-in-place';
import {
  startSignIn,
  CLEARED_COOKIE,
  sendCallback,
  cookiesOf,
  CSRF,
  getCode,
  KEPT_COOKIE,
  refusalOf,
} from '@catalog/testkit/sign-in-steps';
import { temporaryFolder } from '@catalog/testkit/temporary-folder';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

let place: SignInPlace;

beforeAll(async () => {
  place = await openSignInPlace();
});
afterAll(() => place.close());

describe('sign-in', () => {
  verifies(
    ['UI-01', 'SESS-09', 'SESS-11', 'AUTH-31'],
    'redirects to the provider with a state, a challenge and the first audience',
    async () => {
      const audience = [' ', 'https://catalog.test', 'https://other.test'];
      const server = await place.start({ 'identity_provider.audience': audience });
      const answer = await server.request(signIn);
      expect(answer.status).toBe(302);
      const { origin, pathname, searchParams } = new URL(answer.headers.location ?? '');
      expect(`${origin}${pathname}`).toBe(place.provider.authorization_endpoint);
      expect(Object.fromEntries(searchParams)).toEqual({
        response_type: 'code',
        client_id: 'catalog-web',
        redirect_uri: `${place.origin}${CALLBACK}`,
        scope: 'openid profile email groups',
        state: expect.stringMatching(/^[\da-f]{64}$/),
        nonce: expect.stringMatching(/^[\da-f]{64}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        audience: 'https://catalog.test',
        resource: 'https://catalog.test',
      });
      expect(cookiesOf(answer)).toEqual({
        [TRANSACTION_COOKIE]: [...KEPT_COOKIE, 'Max-Age=600'].sort(),
      });
      const sealed = answer.headers['set-cookie']?.[0] ?? '';
      expect(sealed).not.toContain(searchParams.get('state'));
      expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('verifier');
      const again = await startSignIn(server);
      expect(again.state).not.toBe(searchParams.get('state'));
    },
  );

  verifies(
    ['SESS-07', 'SESS-12', 'SESS-13', 'SESS-25', 'SESS-26', 'SESS-27'],
    'ends with the access token as the only cookie',
    async () => {
      const server = await place.start();
      const { cookie, state, code, location } = await getCode(place, server);
      const answer = await sendCallback(server, { state, code }, cookie);
      expect([answer.status, answer.headers.location]).toEqual([302, '/app/']);
      expect(cookiesOf(answer)).toEqual({ ...CLEARED_COOKIE, [SESSION_COOKIE]: KEPT_COOKIE });
      const exchanged = place.provider.exchanges.at(-1);
      const verifier = exchanged?.get('code_verifier') ?? '';
      expect(hash('sha256', verifier, 'base64url')).toBe(
        location.searchParams.get('code_challenge'),
      );
      expect(exchanged?.get('resource')).toBe('https://catalog.test');
      const kept = answer.headers['set-cookie']?.find((line) => line.startsWith(SESSION_COOKIE));
      const token = kept?.slice(SESSION_COOKIE.length + 1).split(';')[0] ?? '';
      const claims: unknown = JSON.parse(
        Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
      );
      expect(claims).toMatchObject({ sub: 'alice', aud: 'https://catalog.test' });
      const signInRequest = { headers: { cookie: `${SESSION_COOKIE}=${token}` } };
      expect(await server.call(session, signInRequest)).toMatchObject({ subject: 'alice' });
      expect(JSON.stringify(server.log)).not.toContain(token);
    },
  );

  verifies('SESS-14', 'survives a restart, because the registry stores no sessions', async () => {
    const first = await place.start();
    const browser = place.newBrowser();
    const landed = await place.signIn(browser, 'bob');
    expect([landed.url, landed.status]).toEqual([`${place.origin}/app/`, 200]);
    await first.close();
    const second = await place.start();
    const headers = { cookie: `${SESSION_COOKIE}=${place.cookieOf(browser, SESSION_COOKIE)}` };
    expect(await second.call(session, { headers })).toMatchObject({
      subject: 'bob',
      email: 'bob@example.com',
    });
  });

  verifies('SESS-08', 'lasts until the token expires', async () => {
    const server = await place.start();
    const browser = place.newBrowser();
    await place.signIn(browser, 'alice');
    const token = String(place.cookieOf(browser, SESSION_COOKIE));
    const headers = { cookie: `${SESSION_COOKIE}=${token}` };
    expect((await server.request('/v1/quota', { headers })).status).toBe(200);
    const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { exp }: { exp: number } = JSON.parse(claims);
    vi.useFakeTimers({ toFake: ['Date'], now: exp * 1000 });
    try {
      expect(refusalOf(await server.request('/v1/quota', { headers }))).toEqual([
        401,
        'auth.token_expired',
      ]);
      expect(await server.call(session, { headers })).not.toHaveProperty('subject');
    } finally {
      vi.useRealTimers();
    }
  });

  test('can be completed by another replica', async () => {
    const server = await place.start();
    const { cookie, state, code } = await getCode(place, server);
    await server.close();
    const other = await place.start();
    expect((await sendCallback(other, { state, code }, cookie)).status).toBe(302);
  });

  test('cannot be completed by a registry with another client secret', async () => {
    const server = await place.start();
    const { cookie, state } = await startSignIn(server);
    await server.close();
    const other = await place.start({ 'web_ui.oauth_client_secret': 'another' });
    expect(refusalOf(await sendCallback(other, { state, code: 'c' }, cookie))).toEqual(CSRF);
  });
});

describe('sign-in callback', () => {
  verifies(
    ['SESS-15', 'SESS-16', 'SESS-18', 'SESS-27', 'ERR-10'],
    'requires its transaction before any other check',
    async () => {
      const server = await place.start();
      const { cookie, state, code } = await getCode(place, server);
      const other = await startSignIn(server);
      const before = place.provider.requests.length;
      const attempts: [query: Record<string, string | string[]>, cookie: string | undefined][] = [
        [{ state, code }, undefined],
        [{ state, code }, other.cookie],
        [{ state: other.state, code }, cookie],
        [{ code }, cookie],
        [{ state: '', code }, cookie],
        [{ state: [state, state], code }, cookie],
        [{ state: [state, other.state], code }, cookie],
        [{ state: [state, state], error: 'access_denied' }, cookie],
        [{ state: [state, other.state], error: 'access_denied' }, cookie],
        [{ state: other.state, error: 'access_denied' }, cookie],
        [{ state, error: 'access_denied' }, undefined],
        [{ error: 'access_denied' }, cookie],
        [{}, cookie],
        [{ state, code }, `${TRANSACTION_COOKIE}=`],
        [{ state, code }, `${TRANSACTION_COOKIE}=a.b.c.d.e`],
        [{ state, code }, `${cookie.slice(0, -4)}AAAA`],
      ];
      for (const [query, carried] of attempts) {
        const answer = await sendCallback(server, query, carried);
        expect(refusalOf(answer), JSON.stringify(query)).toEqual(CSRF);
        expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
        expect(answer.headers.location).toBeUndefined();
      }
      expect(place.provider.requests).toHaveLength(before);
      expect((await sendCallback(server, { state, code }, cookie)).status).toBe(302);
    },
  );

  verifies('SESS-17', 'rejects an expired transaction like a missing one', async () => {
    const server = await place.start({ 'web_ui.auth_transaction_ttl': 30 });
    const { cookie, state } = await startSignIn(server);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    try {
      const answer = await sendCallback(server, { state, code: 'c' }, cookie);
      expect(refusalOf(answer)).toEqual(CSRF);
      expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
    } finally {
      vi.useRealTimers();
    }
    const inTime = await sendCallback(server, { state, error: 'access_denied' }, cookie);
    expect(inTime.status).toBe(302);
  });

  verifies('SESS-10', 'rejects a repeated callback', async () => {
    const server = await place.start();
    const seen: string[] = [];
    const browser = place.newBrowser({
      stopsAt: (url) => {
        seen.push(url);
        return false;
      },
    });
    await place.signIn(browser, 'alice');
    const returned = seen.find((url) => url.includes(CALLBACK)) ?? '';
    expect(place.cookieOf(browser, TRANSACTION_COOKIE)).toBeUndefined();
    const replayed = await browser.open(returned);
    expect([replayed.status, JSON.parse(replayed.text).code]).toEqual(CSRF);
    expect(replayed.headers['set-cookie']).toEqual([expect.stringContaining('Max-Age=0')]);
    await server.close();
  });

  test('returns 502 for a code that was already redeemed', async () => {
    const server = await place.start();
    const { cookie, state, code } = await getCode(place, server);
    expect((await sendCallback(server, { state, code }, cookie)).status).toBe(302);
    const answer = await sendCallback(server, { state, code }, cookie);
    expect(refusalOf(answer)).toEqual([502, 'auth.exchange_failed']);
    expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
  });

  verifies(
    ['SESS-19', 'SESS-20', 'SESS-21', 'SESS-27'],
    'redirects to the web UI without a session if the provider returned an error',
    async () => {
      const server = await place.start();
      const { cookie, state, code } = await getCode(place, server);
      const before = place.provider.exchanges.length;
      const errors = [
        { state, error: 'access_denied' },
        { state, error: '', error_description: '<script>' },
        { state, error: 'access_denied', code },
        { state, error: ['one', 'two'], unknown: 'x' },
      ];
      const kept = `${cookie}; ${SESSION_COOKIE}=what.was.before`;
      for (const query of errors) {
        const answer = await sendCallback(server, query, kept);
        expect([answer.status, answer.headers.location]).toEqual([302, '/app/']);
        expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
        expect(answer.raw.toString()).toBe('');
      }
      expect(place.provider.exchanges).toHaveLength(before);
    },
  );

  test('redirects to the web UI without a session if the user declines', async () => {
    await place.start();
    const browser = place.newBrowser();
    await browser.open(`${place.origin}${SIGN_IN}`);
    const landed = await browser.follow('/abort');
    expect(landed.url).toBe(`${place.origin}/app/`);
    expect(place.cookieOf(browser, SESSION_COOKIE)).toBeUndefined();
  });

  test('rejects a response from another issuer (RFC 9207)', async () => {
    const server = await place.start();
    const { cookie, state, code, iss } = await getCode(place, server);
    const before = place.provider.exchanges.length;
    for (const other of ['https://evil.example', `${iss}/`, '']) {
      const answer = await sendCallback(server, { state, code, iss: other }, cookie);
      expect(refusalOf(answer), other).toEqual(CSRF);
      expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
    }
    expect(place.provider.exchanges).toHaveLength(before);
    expect((await sendCallback(server, { state, code, iss }, cookie)).status).toBe(302);
  });

  test.each(['//evil.example', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'ignores a redirect target in the query: %s',
    async (target) => {
      const server = await place.start();
      const signInRequest = await server.request(`${SIGN_IN}?next=${encodeURIComponent(target)}`);
      expect(signInRequest.status).toBe(400);
      const { cookie, state, code } = await getCode(place, server);
      const query = { state, code, next: target, redirect_uri: target, return_to: target };
      const answer = await sendCallback(server, query, cookie);
      expect([answer.status, answer.headers.location]).toEqual([302, '/app/']);
    },
  );

  test('rejects a missing code and several codes', async () => {
    const server = await place.start();
    const { cookie, state } = await startSignIn(server);
    for (const query of [{ state }, { state, code: ['a', 'b'] }]) {
      const answer = await sendCallback(server, query, cookie);
      expect(refusalOf(answer)).toEqual([400, 'registry.invalid_argument']);
      expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
    }
  });
});

verifies('CSRF-09', 'sign-in and its callback are exempt from the cross-site check', async () => {
  const server = await place.start();
  const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  expect((await server.request(signIn, { headers })).status).toBe(302);
  const { cookie, state } = await startSignIn(server);
  const query = { state, error: 'access_denied' };
  const back = await server.request(signInCallback, { query, headers: { ...headers, cookie } });
  expect(back.status).toBe(302);
});

describe('registry without browser sign-in', () => {
  verifies('UI-10', 'returns 404 for the three sign-in routes', async () => {
    for (const settings of [{}, { 'web_ui.enabled': true }]) {
      const server = await startRegistry({ settings });
      for (const [method, path] of [
        ['GET', SIGN_IN],
        ['GET', CALLBACK],
        ['POST', '/v1/ui/auth/sign-out'],
      ] as const) {
        const answer = await server.request(path, { method });
        expect(refusalOf(answer), path).toEqual([404, 'registry.not_found']);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    }
  });

  verifies('UI-11', 'serves the session endpoint only with the web UI', async () => {
    const without = await startRegistry();
    expect(refusalOf(await without.request(session))).toEqual([404, 'registry.not_found']);
    const served = await startRegistry({ settings: { 'web_ui.enabled': true } });
    expect((await served.request(session)).status).toBe(200);
  });
});

verifies(
  'SESS-01',
  'browser sign-in can be enabled by a flag or an environment variable',
  async () => {
    const home = temporaryFolder();
    const redirect = `${place.origin}${CALLBACK}`;
    const given = place.provider.settings(redirect);
    const base = {
      CATALOG_IDENTITY_PROVIDER: 'oidc-jwt',
      CATALOG_OAUTH_ISSUER: place.provider.issuer,
      CATALOG_OAUTH_AUDIENCE: 'https://catalog.test',
      CATALOG_WEB_UI: 'true',
      CATALOG_WEB_UI_OAUTH_CLIENT_ID: 'catalog-web',
      CATALOG_WEB_UI_OAUTH_CLIENT_SECRET: String(given['web_ui.oauth_client_secret']),
      CATALOG_WEB_UI_REDIRECT_URI: redirect,
      CATALOG_WEB_UI_OAUTH_AUTHORIZATION_ENDPOINT: place.provider.authorization_endpoint,
      CATALOG_WEB_UI_OAUTH_TOKEN_ENDPOINT: place.provider.token_endpoint,
    };
    for (const [env, flags, status] of [
      [{ ...base, CATALOG_WEB_UI_AUTH: 'true' }, {}, 302],
      [base, { 'web-ui-auth': true }, 302],
      [base, {}, 404],
    ] as const) {
      const { settings } = loadSettings({ cwd: home, home, env, flags });
      const server = await startRegistry({
        settings: { ...given, 'web_ui.auth': settings['web_ui.auth'] },
      });
      expect((await server.request(signIn)).status).toBe(status);
    }
  },
);
