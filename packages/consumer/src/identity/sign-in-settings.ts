import type { TokenStoreKind } from '../config/identity-settings.ts';
import type { IdentitySettings } from '../config/types.ts';
import type { SignInSettings } from './find-issuer.ts';

/** What the environment says about the sign-in; it goes before what the registry says. */
export function signInSettings(identity: IdentitySettings): SignInSettings {
  return {
    authorization_endpoint: identity.authorization_endpoint?.value,
    token_url: identity.token_url?.value,
    client_id: identity.client_id?.value,
    audience: identity.audience?.value,
    scopes: identity.scopes?.value,
  };
}

/** Where tokens are kept; in a file only if somebody asked for it by name. */
export function tokenStoreOf({ token_store }: IdentitySettings): TokenStoreKind {
  return token_store?.value === 'file' ? 'file' : 'keychain';
}
