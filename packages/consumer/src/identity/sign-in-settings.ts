import type { TokenStoreKind } from '../config/identity-settings.ts';
import type { IdentitySettings } from '../config/types.ts';
import type { SignInSettings } from './find-issuer.ts';

export function signInSettings(identity: IdentitySettings): SignInSettings {
  return {
    authorization_endpoint: identity.authorization_endpoint?.value,
    token_url: identity.token_url?.value,
    client_id: identity.client_id?.value,
    audience: identity.audience?.value,
    scopes: identity.scopes?.value,
  };
}

/** Returns where tokens are stored: in a file only if the user configured that. */
export function tokenStoreOf({ token_store }: IdentitySettings): TokenStoreKind {
  return token_store?.value === 'file' ? 'file' : 'keychain';
}
