import { signOut } from '@catalog/contract/endpoints/browser';
import {
  openSignInPlace,
  SESSION_COOKIE,
  TRANSACTION_COOKIE,
  type SignInPlace,
} from '@catalog/testkit/sign-in-place';
import { CLEARED_COOKIE, cookiesOf, CSRF, refusalOf } from '@catalog/testkit/sign-in-steps';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '@catalog/testkit/verifies';

let place: SignInPlace;

beforeAll(async () => {
  place = await openSignInPlace();
});
afterAll(() => place.close());

describe('sign-out', () => {
  verifies('UI-02', 'clears both cookies with and without a session', async () => {
    const server = await place.start();
    for (const cookie of [undefined, `${SESSION_COOKIE}=x.y.z`, `${TRANSACTION_COOKIE}=a`]) {
      const headers = cookie === undefined ? {} : { cookie };
      const answer = await server.request(signOut, { headers });
      expect(answer.status).toBe(204);
      expect(cookiesOf(answer)).toEqual({
        ...CLEARED_COOKIE,
        [SESSION_COOKIE]: CLEARED_COOKIE[TRANSACTION_COOKIE],
      });
    }
    const form = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' };
    const answer = await server.request(signOut, { headers: form });
    expect([answer.status, answer.headers.location]).toEqual([303, '/app/']);
    expect(Object.keys(cookiesOf(answer))).toHaveLength(2);
  });

  test('rejects a request from a page of another site and clears nothing (SPEC-32)', async () => {
    const server = await place.start();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
    ]) {
      const answer = await server.request(signOut, { headers });
      expect(refusalOf(answer)).toEqual(CSRF);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });
});
