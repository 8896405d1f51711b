import { resourceMetadata } from '@catalog/contract/endpoints/browser';
import type { ProtectedResource } from '@catalog/contract/records/access';
import type { TokenSource } from '../../identity/token-source.ts';
import { defineRoute, json, type Route } from '../route.ts';

/** Whose tokens are taken here (RFC 9728). */
export function resourceMetadataRoute({
  issuer,
  audiences,
  client_id,
  scopes,
}: TokenSource): Route {
  return defineRoute(resourceMetadata, async ({ registry: { settings } }) =>
    json({
      resource: settings.public_url,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: [...new Set([...scopes, 'offline_access'])],
      resource_name: 'catalog',
      catalog_client_id: client_id,
      catalog_audience: advertised(audiences, settings.public_url),
    } satisfies ProtectedResource),
  );
}

/** `catalog login` accepts an audience only if it is a URL of the registry, so that one goes first. */
function advertised(audiences: readonly string[], public_url: string): string {
  const { origin } = new URL(public_url);
  const own = audiences.find((url) => URL.canParse(url) && new URL(url).origin === origin);
  return own ?? audiences[0] ?? '';
}
