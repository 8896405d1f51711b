import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Transport } from '@catalog/sdk/transport';
import * as oauth from 'oauth4webapi';
import { now } from '../clock.ts';
import type { IdentitySettings } from '../config/types.ts';
import { grantedTokens, resourceParameter } from './device-flow.ts';
import { acquireCredentialsLock } from './acquire-credentials-lock.ts';
import { checkAddress, oauthFailure, oauthOptions } from './oauth-requests.ts';
import { hasExpired, isFresh, type StoredTokens } from './stored-tokens.ts';
import { findTokens, getTokens, removeTokens, replaceTokens } from './token-store.ts';

/**
 * Replaces an invalid token. One process at a time requests new tokens: a provider that rotates refresh tokens would
 * treat a second use as theft. A process that waited uses the tokens of the first one.
 */
export async function refreshTokens(
  settings: IdentitySettings,
  origin: string,
  old_token: string,
  transport: Transport,
  signal?: AbortSignal,
): Promise<StoredTokens> {
  const hold = await acquireCredentialsLock(settings.folder, origin, signal);
  try {
    const place = findTokens(settings, origin);
    const tokens = await getTokens(settings, origin, signal);
    if (place === undefined || tokens === undefined) throw signedOut(origin);
    if (tokens.access_token !== old_token && isFresh(tokens, now())) return tokens;
    const refreshed = await request(tokens, transport).catch(async (cause: unknown) => {
      if (!isGrantRevoked(cause)) return keepIfValid(tokens, origin, cause);
      await removeTokens(settings, origin, signal);
      throw signedOut(origin);
    });
    // Cannot be aborted, because the provider may not issue these tokens again.
    if (refreshed !== tokens) await replaceTokens(settings, origin, refreshed, place);
    return refreshed;
  } finally {
    hold.release();
  }
}

/** Requests new tokens. Cannot be aborted, because the old refresh token may become invalid. */
async function request(tokens: StoredTokens, transport: Transport): Promise<StoredTokens> {
  const { refresh_token, token_endpoint, client_id, issuer, resource } = tokens;
  if (refresh_token === undefined) throw new NoRefreshToken();
  checkAddress(token_endpoint, 'The token endpoint');
  const server: oauth.AuthorizationServer = {
    issuer: issuer ?? new URL(token_endpoint).origin,
    token_endpoint,
  };
  const client: oauth.Client = { client_id };
  const response = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    refresh_token,
    { ...oauthOptions(transport), additionalParameters: resourceParameter(resource) },
  );
  const answer = await oauth.processRefreshTokenResponse(server, client, response);
  const { expires_at: _, ...rest } = tokens;
  return { ...rest, ...grantedTokens(answer) };
}

class NoRefreshToken extends Error {}

function isGrantRevoked(cause: unknown): boolean {
  if (cause instanceof NoRefreshToken) return true;
  return cause instanceof oauth.ResponseBodyError && cause.error === 'invalid_grant';
}

/** Returns the old tokens while they are valid, so that the request can succeed. */
function keepIfValid(tokens: StoredTokens, origin: string, cause: unknown): StoredTokens {
  if (!hasExpired(tokens, now())) return tokens;
  throw oauthFailure(`Cannot refresh the sign-in to ${origin}`, cause);
}

function signedOut(origin: string): CatalogError {
  return new CatalogError('auth.token_expired', `The sign-in to ${origin} has expired.`);
}
