import { resourceMetadata } from '@catalog/contract/endpoints/browser';
import type { ProtectedResource } from '@catalog/contract/records/access';
import type { TokenSource } from '../../identity/token-source.ts';
import { defineRoute, json, type Route } from '../route.ts';

/** Whose tokens are taken here (RFC 9728). */
export function resourceMetadataRoute({ issuer, audience, client_id, scopes }: TokenSource): Route {
  return defineRoute(resourceMetadata, async ({ registry: { settings } }) =>
    json({
      resource: settings.public_url,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: [...new Set([...scopes, 'offline_access'])],
      resource_name: 'catalog',
      catalog_client_id: client_id,
      catalog_audience: audience,
    } satisfies ProtectedResource),
  );
}
