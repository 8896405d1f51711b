import type { Transport } from '@catalog/sdk/transport';
import * as oauth from 'oauth4webapi';
import { removeCachedManifest } from '../cache/manifest-cache.ts';
import { removeIndexEntries } from '../cache/response-index.ts';
import type { Config } from '../config/types.ts';
import { acquireCredentialsLock } from './acquire-credentials-lock.ts';
import { checkAddress, oauthOptions } from './oauth-requests.ts';
import type { StoredTokens } from './stored-tokens.ts';
import { viewerOf } from './subject-of.ts';
import { findTokens, getTokens, removeTokens } from './token-store.ts';

export interface SignedOut {
  was_signed_in: boolean;
  /** Whether the provider revoked the tokens; undefined if it does not support that. */
  revoked: boolean | undefined;
}

export async function signOut(
  registry: string,
  { identity, cache }: Pick<Config, 'identity' | 'cache'>,
  transport: Transport,
  signal?: AbortSignal,
): Promise<SignedOut> {
  const { origin } = new URL(registry);
  if (findTokens(identity, origin) === undefined) {
    return { was_signed_in: false, revoked: undefined };
  }
  const hold = await acquireCredentialsLock(identity.folder, origin, signal);
  let tokens: StoredTokens | undefined;
  try {
    tokens = await getTokens(identity, origin, signal);
    await removeTokens(identity, origin, signal);
  } finally {
    hold.release();
  }
  if (tokens === undefined) return { was_signed_in: true, revoked: undefined };
  const viewer = {
    registry: registry.replace(/\/+$/, ''),
    subject: viewerOf(tokens.access_token),
  };
  removeCachedManifest(cache.value, viewer);
  removeIndexEntries(cache.value, viewer);
  return { was_signed_in: true, revoked: await revoke(tokens, transport) };
}

/**
 * Revokes the refresh token, which ends the sign-in (RFC 7009). Ignores failures, because the local tokens are already
 * removed.
 */
async function revoke(tokens: StoredTokens, transport: Transport): Promise<boolean | undefined> {
  const { revocation_endpoint, token_endpoint, client_id, issuer, refresh_token } = tokens;
  if (revocation_endpoint === undefined) return undefined;
  const server = { issuer: issuer ?? new URL(token_endpoint).origin, revocation_endpoint };
  const token = refresh_token ?? tokens.access_token;
  try {
    checkAddress(revocation_endpoint, 'The revocation endpoint');
    const response = await oauth.revocationRequest(
      server,
      { client_id },
      oauth.None(),
      token,
      oauthOptions(transport),
    );
    await oauth.processRevocationResponse(response);
    return true;
  } catch {
    return false;
  }
}
