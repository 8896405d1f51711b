import { signIn } from '@catalog/contract/endpoints/browser';
import { setCookie, TRANSACTION_COOKIE } from '../../browser/cookies.ts';
import { requireIssuance } from '../../browser/require-issuance.ts';
import type { BrowserSignIn } from '../../browser/sign-in.ts';
import { defineRoute, redirect, type Route } from '../route.ts';

export function signInRoute(browser: BrowserSignIn): Route {
  return defineRoute(signIn, async ({ registry }) => {
    requireIssuance(registry);
    const { location, sealed } = await browser.start();
    const { transaction_ttl_seconds } = browser;
    return redirect(location, [setCookie(TRANSACTION_COOKIE, sealed, transaction_ttl_seconds)]);
  });
}
