import type { TokenStoreKind } from '@catalog/consumer/config/identity-settings';
import type { Config } from '@catalog/consumer/config/types';
import type { SignInSettings } from '@catalog/consumer/identity/find-issuer';
import { signInSettings, tokenStoreOf } from '@catalog/consumer/identity/sign-in-settings';

interface SignInFlags {
  issuer?: string | undefined;
  'client-id'?: string | undefined;
  audience?: string | undefined;
  scopes?: string | undefined;
  'token-url'?: string | undefined;
}

/** Combines sign-in settings: flags override environment variables, which override the values of the registry. */
export function toSignInSettings({ identity }: Config, flags: SignInFlags): SignInSettings {
  const { issuer } = flags;
  const configured = signInSettings(identity);
  return {
    issuer,
    authorization_endpoint: issuer === undefined ? configured.authorization_endpoint : undefined,
    token_url: flags['token-url'] ?? configured.token_url,
    client_id: flags['client-id'] ?? configured.client_id,
    audience: flags.audience ?? configured.audience,
    scopes: flags.scopes ?? configured.scopes,
  };
}

export function storeOf({ identity }: Config, flag: TokenStoreKind | undefined): TokenStoreKind {
  return flag ?? tokenStoreOf(identity);
}
