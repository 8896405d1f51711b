import type { ServerResponse } from 'node:http';
import { readyz } from '@catalog/contract/endpoints/operations';
import { openSignInPlace, SESSION_COOKIE, type SignInPlace } from '@catalog/testkit/sign-in-place';
import {
  answerToken,
  begin,
  CLEARED,
  comeBack,
  cookiesOf,
  refusalOf,
  sendTokens,
} from '@catalog/testkit/sign-in-steps';
import { errorOf } from '@catalog/testkit/strict-answer';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

let place: SignInPlace;

beforeAll(async () => {
  place = await openSignInPlace();
});
afterAll(() => place.close());
afterEach(() => {
  place.provider.meddle = undefined;
});

describe('the exchange', () => {
  verifies('SESS-22', 'with a provider nobody reaches answers 500', async () => {
    const server = await place.start({
      'web_ui.oauth_token_endpoint': 'https://127.0.0.1:1/token',
    });
    const { cookie, state } = await begin(server);
    const answer = await comeBack(server, { state, code: 'c' }, cookie);
    expect(refusalOf(answer)).toEqual([500, 'registry.unavailable']);
    expect(cookiesOf(answer)).toEqual(CLEARED);
    expect(answer.raw.toString()).not.toContain('127.0.0.1');
  });

  test('with a provider that cuts the connection answers 500', async () => {
    const server = await place.start();
    const { cookie, state } = await begin(server);
    answerToken(place, (response) => response.destroy());
    expect(refusalOf(await comeBack(server, { state, code: 'c' }, cookie))).toEqual([
      500,
      'registry.unavailable',
    ]);
  });

  test('with a provider that is unavailable makes /readyz name it (SPEC-79)', async () => {
    const server = await place.start();
    const degraded = async (): Promise<unknown> =>
      Object((await server.request(readyz)).body).degraded;
    const { cookie, state } = await begin(server);
    place.provider.meddle = (incoming) => {
      incoming.socket.destroy();
      return true;
    };
    expect((await comeBack(server, { state, code: 'c' }, cookie)).status).toBe(500);
    // The keys are fresh for minutes; the failed sign-in is the first sign of the outage.
    await expect.poll(degraded, { timeout: 12_000, interval: 50 }).toEqual(['identity_provider']);
    place.provider.meddle = undefined;
    await expect.poll(degraded, { timeout: 20_000, interval: 50 }).toBeUndefined();
  });

  verifies(['SESS-23', 'SESS-27'], 'answered with 5xx answers 500', async () => {
    const server = await place.start();
    for (const status of [500, 502, 503]) {
      const { cookie, state } = await begin(server);
      answerToken(place, (response) => sendTokens(response, { error: 'server_error' }, status));
      const answer = await comeBack(server, { state, code: 'c' }, cookie);
      expect(refusalOf(answer), String(status)).toEqual([500, 'registry.unavailable']);
      expect(cookiesOf(answer)).toEqual(CLEARED);
    }
  });

  verifies(
    ['SESS-24', 'SESS-27', 'ERR-11'],
    'refused by the provider answers 502, not to be tried again',
    async () => {
      const server = await place.start();
      const { cookie, state } = await begin(server);
      const answer = await comeBack(server, { state, code: 'made-up' }, cookie);
      expect(refusalOf(answer)).toEqual([502, 'auth.exchange_failed']);
      expect(errorOf(answer.body)).toMatchObject({
        retryable: false,
        message: expect.stringContaining('invalid_grant'),
      });
      expect(cookiesOf(answer)).toEqual(CLEARED);
    },
  );

  test('with a wrong client secret says so', async () => {
    const server = await place.start({ 'web_ui.oauth_client_secret': 'wrong' });
    const { cookie, state } = await begin(server);
    const answer = await comeBack(server, { state, code: 'c' }, cookie);
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
  ])('answered with %s answers 502', async (_, answer) => {
    const server = await place.start();
    const { cookie, state } = await begin(server);
    answerToken(place, answer);
    const got = await comeBack(server, { state, code: 'c' }, cookie);
    expect(refusalOf(got)).toEqual([502, 'auth.exchange_failed']);
    expect(cookiesOf(got)).toEqual(CLEARED);
    expect(got.raw.toString()).not.toContain('<b>');
    expect(place.provider.requests.filter((line) => line.includes('/away'))).toEqual([]);
  });

  test('that gives a token the registry does not take begins no session, and says why', async () => {
    const server = await place.start({ 'identity_provider.audience': ['elsewhere'] });
    const browser = place.newBrowser();
    const landed = await place.signIn(browser, 'alice');
    expect([landed.status, JSON.parse(landed.text).code]).toEqual([502, 'auth.exchange_failed']);
    expect(landed.text).toContain('identity_provider.audience');
    expect(place.cookieOf(browser, SESSION_COOKIE)).toBeUndefined();
    await server.close();
  });

  test('that gives a token too long for a cookie begins no session, and says so', async () => {
    const server = await place.start();
    const { cookie, state, location } = await begin(server);
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
    const answer = await comeBack(server, { state, code: 'c' }, cookie);
    expect(refusalOf(answer)).toEqual([502, 'auth.exchange_failed']);
    expect(errorOf(answer.body)?.message).toContain('cookie');
    expect(cookiesOf(answer)).toEqual(CLEARED);
  });
});
