import type { ServerResponse } from 'node:http';
import { readyz } from '@catalog/contract/endpoints/operations';
import { openSignInPlace, SESSION_COOKIE, type SignInPlace } from '@catalog/testkit/sign-in-place';
import {
  answerToken,
  startSignIn,
  CLEARED_COOKIE,
  sendCallback,
  cookiesOf,
  refusalOf,
  sendTokens,
} from '@catalog/testkit/sign-in-steps';
import { errorOf } from '@catalog/testkit/checked-response';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

let place: SignInPlace;

beforeAll(async () => {
  place = await openSignInPlace();
});
afterAll(() => place.close());
afterEach(() => {
  place.provider.overrideResponse = undefined;
});

describe('code exchange', () => {
  verifies('SESS-22', 'returns 500 if the provider is unreachable', async () => {
    const server = await place.start({
      'web_ui.oauth_token_endpoint': 'https://127.0.0.1:1/token',
    });
    const { cookie, state } = await startSignIn(server);
    const answer = await sendCallback(server, { state, code: 'c' }, cookie);
    expect(refusalOf(answer)).toEqual([500, 'registry.unavailable']);
    expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
    expect(answer.raw.toString()).not.toContain('127.0.0.1');
  });

  test('returns 500 if the provider closes the connection', async () => {
    const server = await place.start();
    const { cookie, state } = await startSignIn(server);
    answerToken(place, (response) => response.destroy());
    expect(refusalOf(await sendCallback(server, { state, code: 'c' }, cookie))).toEqual([
      500,
      'registry.unavailable',
    ]);
  });

  test('reports an unavailable provider in /readyz (SPEC-79)', async () => {
    const server = await place.start();
    const degraded = async (): Promise<unknown> =>
      Object((await server.request(readyz)).body).degraded;
    const { cookie, state } = await startSignIn(server);
    place.provider.overrideResponse = (incoming) => {
      incoming.socket.destroy();
      return true;
    };
    expect((await sendCallback(server, { state, code: 'c' }, cookie)).status).toBe(500);
    // The keys are fresh for minutes, so the failed sign-in is the first sign of the outage.
    await expect.poll(degraded, { timeout: 12_000, interval: 50 }).toEqual(['identity_provider']);
    place.provider.overrideResponse = undefined;
    await expect.poll(degraded, { timeout: 20_000, interval: 50 }).toBeUndefined();
  });

  verifies(['SESS-23', 'SESS-27'], 'returns 500 if the provider responds with 5xx', async () => {
    const server = await place.start();
    for (const status of [500, 502, 503]) {
      const { cookie, state } = await startSignIn(server);
      answerToken(place, (response) => sendTokens(response, { error: 'server_error' }, status));
      const answer = await sendCallback(server, { state, code: 'c' }, cookie);
      expect(refusalOf(answer), String(status)).toEqual([500, 'registry.unavailable']);
      expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
    }
  });

  verifies(
    ['SESS-24', 'SESS-27', 'ERR-11'],
    'returns 502, not retryable, if the provider rejects the code',
    async () => {
      const server = await place.start();
      const { cookie, state } = await startSignIn(server);
      const answer = await sendCallback(server, { state, code: 'made-up' }, cookie);
      expect(refusalOf(answer)).toEqual([502, 'auth.exchange_failed']);
      expect(errorOf(answer.body)).toMatchObject({
        retryable: false,
        message: expect.stringContaining('invalid_grant'),
      });
      expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
    },
  );

  test('reports invalid_client for a wrong client secret', async () => {
    const server = await place.start({ 'web_ui.oauth_client_secret': 'wrong' });
    const { cookie, state } = await startSignIn(server);
    const answer = await sendCallback(server, { state, code: 'c' }, cookie);
    expect(refusalOf(answer)).toEqual([502, 'auth.exchange_failed']);
    expect(errorOf(answer.body)?.message).toContain('invalid_client');
  });

  test.each<[title: string, answer: (response: ServerResponse) => void]>([
    ['no JSON', (response) => response.end('<html>')],
    ['no token', (response) => sendTokens(response, { token_type: 'bearer' })],
    [
      'no identity token',
      (response) => sendTokens(response, { access_token: 'a', token_type: 'bearer' }),
    ],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: `${place.provider.issuer}/away` }).end(),
    ],
    [
      'a refusal in other words',
      (response) => sendTokens(response, { error: 'N\u0000! <b>' }, 400),
    ],
  ])('returns 502 if the provider responds with %s', async (_, answer) => {
    const server = await place.start();
    const { cookie, state } = await startSignIn(server);
    answerToken(place, answer);
    const got = await sendCallback(server, { state, code: 'c' }, cookie);
    expect(refusalOf(got)).toEqual([502, 'auth.exchange_failed']);
    expect(cookiesOf(got)).toEqual(CLEARED_COOKIE);
    expect(got.raw.toString()).not.toContain('<b>');
    expect(place.provider.requests.filter((line) => line.includes('/away'))).toEqual([]);
  });

  test('starts no session and reports the reason if the registry rejects the token', async () => {
    const server = await place.start({ 'identity_provider.audience': ['elsewhere'] });
    const browser = place.newBrowser();
    const landed = await place.signIn(browser, 'alice');
    expect([landed.status, JSON.parse(landed.text).code]).toEqual([502, 'auth.exchange_failed']);
    expect(landed.text).toContain('identity_provider.audience');
    expect(place.cookieOf(browser, SESSION_COOKIE)).toBeUndefined();
    await server.close();
  });

  test('starts no session and reports the reason if the token is too long for a cookie', async () => {
    const server = await place.start();
    const { cookie, state, location } = await startSignIn(server);
    const part = (claims: object): string =>
      Buffer.from(JSON.stringify(claims)).toString('base64url');
    const now = Math.floor(Date.now() / 1000);
    const id_token = [
      part({ alg: 'ES256' }),
      part({
        iss: place.provider.issuer,
        aud: 'catalog-web',
        sub: 'alice',
        nonce: location.searchParams.get('nonce'),
        iat: now,
        exp: now + 60,
      }),
      'c2ln',
    ].join('.');
    const access_token = 'a'.repeat(3585);
    answerToken(place, (response) =>
      sendTokens(response, { access_token, token_type: 'bearer', id_token }),
    );
    const answer = await sendCallback(server, { state, code: 'c' }, cookie);
    expect(refusalOf(answer)).toEqual([502, 'auth.exchange_failed']);
    expect(errorOf(answer.body)?.message).toContain('cookie');
    expect(cookiesOf(answer)).toEqual(CLEARED_COOKIE);
  });
});
