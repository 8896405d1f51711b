import { signInCallback } from '@catalog/contract/endpoints/browser';
import { clearCookie, readCookie, setCookie, TRANSACTION_COOKIE } from '../../browser/cookies.ts';
import { requireIssuance } from '../../browser/require-issuance.ts';
import type { BrowserSignIn } from '../../browser/sign-in.ts';
import { SESSION_COOKIE } from '../../identity/bearer-credential.ts';
import { defineRoute, redirect, type Route } from '../route.ts';
import { ErrorWithHeaders } from '../send-error.ts';

/** Where every sign-in ends; nothing in a query can name another place. */
const LANDING = '/app/';

/** The transaction is used up by whatever is answered here (SESS-27). */
export function signInCallbackRoute(browser: BrowserSignIn): Route {
  return defineRoute(signInCallback, async (call) => {
    const { registry, context, search } = call;
    const spent = clearCookie(TRANSACTION_COOKIE);
    try {
      const token = await browser.finish({
        sealed: readCookie(call.header('cookie'), TRANSACTION_COOKIE),
        search,
        signal: context.signal,
        requireIssuance: () => requireIssuance(registry),
      });
      const begun = token === undefined ? [] : [setCookie(SESSION_COOKIE, token)];
      return redirect(LANDING, [spent, ...begun]);
    } catch (error) {
      throw new ErrorWithHeaders(error, { 'Set-Cookie': [spent], 'Cache-Control': 'no-store' });
    }
  });
}
