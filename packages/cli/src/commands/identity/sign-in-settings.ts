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

/** Flags override environment variables, which override the registry's values. */
export function toSignInSettings({ identity }: Config, flags: SignInFlags): SignInSettings {
  const { issuer } = flags;
  const said = signInSettings(identity);
  return {
    issuer,
    authorization_endpoint: issuer === undefined ? said.authorization_endpoint : undefined,
    token_url: flags['token-url'] ?? said.token_url,
    client_id: flags['client-id'] ?? said.client_id,
    audience: flags.audience ?? said.audience,
    scopes: flags.scopes ?? said.scopes,
  };
}

export function storeOf({ identity }: Config, flag: TokenStoreKind | undefined): TokenStoreKind {
  return flag ?? tokenStoreOf(identity);
}
