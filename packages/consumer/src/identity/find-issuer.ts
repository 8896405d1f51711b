import { resourceMetadata } from '@catalog/contract/endpoints/browser';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { ProtectedResource } from '@catalog/contract/records/access';
import { call } from '@catalog/sdk/call';
import { openConnection } from '@catalog/sdk/connection';
import { isLoopback } from '@catalog/sdk/is-loopback';
import { quoteServer } from '@catalog/sdk/quote-server';
import type { Transport } from '@catalog/sdk/transport';
import * as oauth from 'oauth4webapi';
import { acceptAudience, isSameOrigin } from './audience.ts';
import { checkAddress, oauthFailure, oauthOptions } from './oauth-requests.ts';

/** Settings of the user or the environment, which override those of the registry. */
export interface SignInSettings {
  issuer?: string | undefined;
  /** Endpoint of the device flow; if set, discovery is skipped. */
  authorization_endpoint?: string | undefined;
  token_url?: string | undefined;
  client_id?: string | undefined;
  audience?: string | undefined;
  scopes?: string | undefined;
}

export interface Issuer {
  server: oauth.AuthorizationServer;
  /** Issuer; undefined if the endpoints were configured one by one. */
  name: string | undefined;
  client_id: string;
  audience: string | undefined;
  /** True if the user chose the audience, which may then have any value. */
  is_audience_given: boolean;
  scope: string;
}

const DEFAULT_CLIENT = 'catalog-cli';
/** The last scope requests a refresh token (OpenID Connect). */
const DEFAULT_SCOPES = ['openid', 'profile', 'email', 'groups', 'offline_access'];

/** Finds the issuer of a registry; undefined if no sign-in is needed. */
export async function findIssuer(
  registry: string,
  settings: SignInSettings,
  transport: Transport,
  signal?: AbortSignal,
): Promise<Issuer | undefined> {
  const { authorization_endpoint: device, issuer } = settings;
  const isGiven = device !== undefined || issuer !== undefined;
  const metadata = await getMetadata(registry, transport, signal).catch((error: unknown) => {
    // Without metadata, the settings may still be complete.
    if (isGiven && error instanceof CatalogError) return undefined;
    throw error;
  });
  const named = issuer ?? (device === undefined ? metadata?.authorization_servers[0] : undefined);
  if (device === undefined && named === undefined) return undefined;
  const server =
    named === undefined
      ? explicitServer(device ?? '', settings.token_url)
      : { ...(await discover(named, transport, signal)), ...tokenEndpoint(settings.token_url) };
  requireDeviceFlow(server, named);
  return {
    server,
    name: named,
    client_id: settings.client_id ?? metadata?.catalog_client_id ?? DEFAULT_CLIENT,
    audience: settings.audience ?? acceptAudience(metadata?.catalog_audience, registry),
    is_audience_given: settings.audience !== undefined,
    scope: settings.scopes?.split(/[\s,]+/).join(' ') ?? defaultScopes(server),
  };
}

/** Returns true if a registry requires a sign-in. A registry behind an authenticating proxy does not. */
export async function requiresSignIn(
  registry: string,
  transport: Transport,
  signal?: AbortSignal,
): Promise<boolean> {
  return (await getMetadata(registry, transport, signal)) !== undefined;
}

/** Fetches the resource metadata (RFC 9728); undefined for a registry without authentication. */
async function getMetadata(
  registry: string,
  transport: Transport,
  signal?: AbortSignal,
): Promise<ProtectedResource | undefined> {
  const connection = openConnection({ registry, transport });
  let metadata: ProtectedResource;
  try {
    metadata = await call(connection, resourceMetadata, {}, signal);
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'registry.not_found') return undefined;
    throw error;
  }
  if (!isSameOrigin(metadata.resource, connection.registry)) {
    throw new CatalogError(
      'config.invalid',
      `The registry at ${connection.registry} identifies itself as ${quoteServer(metadata.resource)}, so a token for one is not sent to the other.`,
      {
        details: { registry: connection.registry },
        suggested_action:
          'Ask its operator for the right URL, and pass it with --registry. catalog signs in only to a registry that identifies itself by its own URL.',
      },
    );
  }
  for (const issuer of metadata.authorization_servers) refuseLocalIssuer(issuer, registry);
  return metadata;
}

/** Rejects an issuer on loopback unless the registry is on this machine too. */
function refuseLocalIssuer(issuer: string, registry: string): void {
  const isLocal = URL.canParse(issuer) && isLoopback(new URL(issuer).hostname);
  if (!isLocal || isLoopback(new URL(registry).hostname)) return;
  throw new CatalogError(
    'config.invalid',
    `The registry at ${registry} sends sign-ins to ${quoteServer(issuer)}, which is this machine.`,
    {
      details: { registry },
      suggested_action:
        'Report this to its operator. If the identity provider does run on this machine, pass it with --issuer.',
    },
  );
}

/**
 * Fetches the metadata of an issuer by OpenID Connect discovery or RFC 8414. The document must name the same issuer.
 */
async function discover(
  issuer: string,
  transport: Transport,
  signal?: AbortSignal,
): Promise<oauth.AuthorizationServer> {
  const url = checkAddress(issuer, 'The issuer');
  const what = `The identity provider ${issuer} is unavailable`;
  try {
    const options = oauthOptions(transport, signal);
    let response = await oauth.discoveryRequest(url, options);
    if (response.status === 404) {
      response = await oauth.discoveryRequest(url, { ...options, algorithm: 'oauth2' });
    }
    return await oauth.processDiscoveryResponse(url, response);
  } catch (cause) {
    signal?.throwIfAborted();
    throw oauthFailure(what, cause);
  }
}

function explicitServer(device: string, token_url: string | undefined): oauth.AuthorizationServer {
  return {
    issuer: new URL(checkAddress(device, 'CATALOG_OAUTH_AUTHORIZATION_ENDPOINT')).origin,
    device_authorization_endpoint: device,
    token_endpoint: token_url ?? `${device.replace(/\/+$/, '')}/token`,
  };
}

function tokenEndpoint(token_url: string | undefined): Partial<oauth.AuthorizationServer> {
  return token_url === undefined ? {} : { token_endpoint: token_url };
}

function requireDeviceFlow(server: oauth.AuthorizationServer, issuer: string | undefined): void {
  const { device_authorization_endpoint: device, token_endpoint: token } = server;
  if (device === undefined || token === undefined) {
    throw new CatalogError(
      'auth.exchange_failed',
      `The identity provider ${issuer ?? ''} does not support the device authorization grant.`,
      {
        suggested_action:
          'Ask its operator to enable the device authorization grant for this client. Until then, set CATALOG_TOKEN.',
      },
    );
  }
  checkAddress(device, 'The device authorization endpoint');
  checkAddress(token, 'The token endpoint');
  const { revocation_endpoint: revocation } = server;
  if (revocation !== undefined) checkAddress(revocation, 'The revocation endpoint');
}

/** Returns the default scopes that the provider supports. */
function defaultScopes({ scopes_supported: known }: oauth.AuthorizationServer): string {
  const requested = DEFAULT_SCOPES.filter((scope) => known === undefined || known.includes(scope));
  return requested.join(' ');
}
