import { session, signIn, signOut } from '@catalog/contract/endpoints/browser';
import type { Posture } from '@catalog/contract/records/access';
import { mayManageLayers } from '@catalog/core/authorize';
import { defineRoute, json, type Route } from '../route.ts';

/** Who the request is. A credential that fails makes it nobody's, and refuses nothing (POSTURE-02). */
export function sessionRoute(isSignInEnabled: boolean): Route {
  const browser_auth: Posture['browser_auth'] = isSignInEnabled
    ? { enabled: true, sign_in_path: signIn.path, sign_out_path: signOut.path }
    : { enabled: false };
  return defineRoute(session, async ({ registry: { settings }, context: { caller } }) => {
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
