import type { TokenStoreKind } from '@catalog/consumer/config/identity-settings';
import type { Config } from '@catalog/consumer/config/types';
import type { SignInSettings } from '@catalog/consumer/identity/find-issuer';

/** What flags say about the sign-in. */
interface SignInFlags {
  issuer?: string | undefined;
  'client-id'?: string | undefined;
  audience?: string | undefined;
  scopes?: string | undefined;
  'token-url'?: string | undefined;
}

/** Flags go before variables; both go before what the registry says. */
export function toSignInSettings({ identity }: Config, flags: SignInFlags): SignInSettings {
  const { issuer } = flags;
  return {
    issuer,
    authorization_endpoint:
      issuer === undefined ? identity.authorization_endpoint?.value : undefined,
    token_url: flags['token-url'] ?? identity.token_url?.value,
    client_id: flags['client-id'] ?? identity.client_id?.value,
    audience: flags.audience ?? identity.audience?.value,
    scopes: flags.scopes ?? identity.scopes?.value,
  };
}

/** Where tokens are kept; in a file only if somebody asked for it by name. */
export function storeOf({ identity }: Config, flag: TokenStoreKind | undefined): TokenStoreKind {
  return flag ?? (identity.token_store?.value === 'file' ? 'file' : 'keychain');
}
