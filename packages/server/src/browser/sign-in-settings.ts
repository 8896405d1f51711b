import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** How people sign in with a browser: the client at the identity provider and what it asks for. */
export interface SignInSettings {
  issuer: string;
  client_id: string;
  client_secret: string;
  redirect_uri: string;
  authorization_endpoint: string;
  token_endpoint: string;
  scopes: readonly string[];
  /** The audience of the token that is asked for (AUTH-31). */
  audience: string;
  transaction_ttl_seconds: number;
}

/**
 * Providers that follow RFC 8707 know an audience as `resource`, others as `audience`; a provider
 * ignores the name it does not know. A resource is an address by that standard, so only one is sent.
 */
export function audienceParameters(audience: string): Record<string, string> {
  return /^https?:\/\//.test(audience) ? { audience, resource: audience } : { audience };
}

/** The browser did not bring back what it was sent away with. */
export function invalidReturn(message: string): CatalogError {
  return new CatalogError('auth.csrf_invalid', message, {
    suggested_action: 'Open `/app/` and sign in again.',
  });
}
