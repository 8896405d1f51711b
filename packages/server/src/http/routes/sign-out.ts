import { signOut } from '@catalog/contract/endpoints/browser';
import { clearCookie, TRANSACTION_COOKIE } from '../../browser/cookies.ts';
import { SESSION_COOKIE } from '../../identity/bearer-credential.ts';
import { defineRoute } from '../route.ts';

/** Clears both cookies, whoever asks: there is no record of a session that could be ended (UI-02). */
export const signOutRoute = defineRoute(signOut, async (call) => {
  const headers = {
    'Set-Cookie': [clearCookie(SESSION_COOKIE), clearCookie(TRANSACTION_COOKIE)],
    'Cache-Control': 'no-store',
  };
  // A form leads somewhere; a script goes on where it is.
  return call.header('sec-fetch-mode') === 'navigate'
    ? { kind: 'empty', status: 303, headers: { ...headers, Location: '/app/' } }
    : { kind: 'empty', status: 204, headers };
});
