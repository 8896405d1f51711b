import * as endpoints from '@catalog/contract/endpoints/browser';
import type { ProtectedResource, Posture } from '@catalog/contract/records/access';
import { mayManageLayers } from '@catalog/core/authorize';
import { clearCookie, readCookie, setCookie, TRANSACTION_COOKIE } from '../../browser/cookies.ts';
import { requireIssuance } from '../../browser/require-issuance.ts';
import type { BrowserSignIn } from '../../browser/sign-in.ts';
import { SESSION_COOKIE } from '../../identity/bearer-credential.ts';
import type { TokenSource } from '../../identity/token-source.ts';
import { defineRoute, json, type Route, redirect } from '../route.ts';
import { ErrorWithHeaders } from '../send-error.ts';

/** Returns the issuer whose tokens the registry accepts (RFC 9728). */
export function resourceMetadataRoute({
  issuer,
  audiences,
  client_id,
  scopes,
}: TokenSource): Route {
  return defineRoute(endpoints.resourceMetadata, async ({ registry: { settings } }) =>
    json({
      resource: settings.public_url,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: [...new Set([...scopes, 'offline_access'])],
      resource_name: 'catalog',
      catalog_client_id: client_id,
      catalog_audience: orderAudiences(audiences, settings.public_url),
    } satisfies ProtectedResource),
  );
}

/** `catalog login` accepts only a URL of the registry, so such an audience takes precedence. */
function orderAudiences(audiences: readonly string[], public_url: string): string {
  const { origin } = new URL(public_url);
  const own = audiences.find((url) => URL.canParse(url) && new URL(url).origin === origin);
  return own ?? audiences[0] ?? '';
}

/** A failed credential counts as anonymous and rejects nothing (POSTURE-02). */
export function sessionRoute(isSignInEnabled: boolean): Route {
  const browser_auth: Posture['browser_auth'] = isSignInEnabled
    ? { enabled: true, sign_in_path: endpoints.signIn.path, sign_out_path: endpoints.signOut.path }
    : { enabled: false };
  return defineRoute(endpoints.session, async ({ registry: { settings }, context: { caller } }) => {
    const posture: Posture = {
      identity_provider_configured: !settings.open,
      public_mode: settings.public_mode,
      browser_auth,
      layer_capabilities: { manage_any_layer: mayManageLayers(caller, settings) },
    };
    if (caller.kind === 'subject') {
      posture.subject = caller.subject;
      if (caller.email !== undefined && caller.email !== '') posture.email = caller.email;
    }
    return json(posture, 200, { 'Cache-Control': 'no-store', Vary: 'Authorization, Cookie' });
  });
}

/** No query parameter can change the target. */
const SIGN_IN_TARGET = '/app/';

/** Every response of this route consumes the transaction (SESS-27). */
export function signInCallbackRoute(browser: BrowserSignIn): Route {
  return defineRoute(endpoints.signInCallback, async (call) => {
    const { registry, context, search } = call;
    const clearedTransaction = clearCookie(TRANSACTION_COOKIE);
    try {
      const token = await browser.finish({
        sealed: readCookie(call.header('cookie'), TRANSACTION_COOKIE),
        search,
        signal: context.signal,
        requireIssuance: () => requireIssuance(registry),
      });
      const sessionCookies = token === undefined ? [] : [setCookie(SESSION_COOKIE, token)];
      return redirect(SIGN_IN_TARGET, [clearedTransaction, ...sessionCookies]);
    } catch (error) {
      throw new ErrorWithHeaders(error, {
        'Set-Cookie': [clearedTransaction],
        'Cache-Control': 'no-store',
      });
    }
  });
}

export function signInRoute(browser: BrowserSignIn): Route {
  return defineRoute(endpoints.signIn, async ({ registry }) => {
    requireIssuance(registry);
    const { location, sealed } = await browser.start();
    const { transaction_ttl_seconds } = browser;
    return redirect(location, [setCookie(TRANSACTION_COOKIE, sealed, transaction_ttl_seconds)]);
  });
}

/** The registry stores no sessions to end (UI-02). */
export const signOutRoute = defineRoute(endpoints.signOut, async (call) => {
  const headers = {
    'Set-Cookie': [clearCookie(SESSION_COOKIE), clearCookie(TRANSACTION_COOKIE)],
    'Cache-Control': 'no-store',
  };
  return call.header('sec-fetch-mode') === 'navigate'
    ? { kind: 'empty', status: 303, headers: { ...headers, Location: '/app/' } }
    : { kind: 'empty', status: 204, headers };
});
