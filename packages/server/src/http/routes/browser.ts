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

/** Route of the resource metadata, which names the issuer of accepted tokens (RFC 9728). */
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

/** Audiences that are URLs of the registry come first, because `catalog login` accepts no others. */
function orderAudiences(audiences: readonly string[], public_url: string): string {
  const { origin } = new URL(public_url);
  const own = audiences.find((url) => URL.canParse(url) && new URL(url).origin === origin);
  return own ?? audiences[0] ?? '';
}

/** Route of the session. Invalid credentials count as anonymous and are not rejected (POSTURE-02). */
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

/** Target of the redirect after a sign-in; no query parameter can change it. */
const SIGN_IN_TARGET = '/app/';

/** Route to which the provider redirects. Each response deletes the cookie of the sign-in (SESS-27). */
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

/** Route of the sign-out, which deletes the cookie: the registry stores no sessions (UI-02). */
export const signOutRoute = defineRoute(endpoints.signOut, async (call) => {
  const headers = {
    'Set-Cookie': [clearCookie(SESSION_COOKIE), clearCookie(TRANSACTION_COOKIE)],
    'Cache-Control': 'no-store',
  };
  return call.header('sec-fetch-mode') === 'navigate'
    ? { kind: 'empty', status: 303, headers: { ...headers, Location: '/app/' } }
    : { kind: 'empty', status: 204, headers };
});
