import { CatalogError } from '@catalog/contract/errors/catalog-error';

export interface SignInSettings {
  issuer: string;
  client_id: string;
  client_secret: string;
  redirect_uri: string;
  authorization_endpoint: string;
  token_endpoint: string;
  scopes: readonly string[];
  /** Requested audience of the access token (AUTH-31). */
  audience: string;
  transaction_ttl_seconds: number;
}

/**
 * Returns the parameters that request an audience. Providers that follow RFC 8707 read `resource`, others `audience`.
 * RFC 8707 requires a URL, so other values are sent only as `audience`.
 */
export function audienceParameters(audience: string): Record<string, string> {
  return /^https?:\/\//.test(audience) ? { audience, resource: audience } : { audience };
}

export function invalidCallback(message: string): CatalogError {
  return new CatalogError('auth.csrf_invalid', message, {
    suggested_action: 'Open `/app/` and sign in again.',
  });
}
