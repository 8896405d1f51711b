import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isLoopback } from '@catalog/sdk/is-loopback';
import { quoteServer } from '@catalog/sdk/quote-server';
import { readClaims } from './subject-of.ts';

/** Compares origins. All loopback names count as equal. */
export function isSameOrigin(url: string, registry: string): boolean {
  if (!URL.canParse(url)) return false;
  const one = new URL(url);
  const other = new URL(registry);
  if (one.origin === other.origin) return true;
  return isLoopback(one.hostname) && isLoopback(other.hostname) && one.port === other.port;
}

/**
 * Accepts an audience only if it has the origin of the registry (SPEC-86). Otherwise a registry could obtain tokens for
 * other services.
 */
export function acceptAudience(
  advertised: string | undefined,
  registry: string,
): string | undefined {
  if (advertised === undefined || advertised === '') return undefined;
  if (isSameOrigin(advertised, registry)) return advertised;
  throw new CatalogError(
    'config.invalid',
    `The registry at ${registry} requests a token for ${quoteServer(advertised)}, which is not a URL of that registry. Another service might accept this token, so catalog requests it only if you name the audience.`,
    { details: { registry }, suggested_action: NAME_AUDIENCE },
  );
}

/**
 * Throws if a token is for another audience, because some providers ignore the requested one. Opaque tokens cannot be
 * checked.
 */
export function requireAudience(token: string, registry: string): void {
  const claims = readClaims(token);
  if (claims === undefined) return;
  const { audiences } = claims;
  if (audiences.some((audience) => isSameOrigin(audience, registry))) return;
  const [first = ''] = audiences;
  const what = first === '' ? 'without an audience' : `for ${quoteServer(audiences.join(', '))}`;
  throw new CatalogError(
    'auth.exchange_failed',
    `The identity provider issued a token ${what}, not for the registry at ${registry}. catalog did not send it there, because another service might accept it.`,
    { suggested_action: NAME_AUDIENCE },
  );
}

/** Advice without the audience itself, because a registry can name any value. */
const NAME_AUDIENCE =
  'Ask the operator of the registry which audience its tokens have. Sign in with `catalog login --audience <audience>`, or set CATALOG_OAUTH_AUDIENCE.';
