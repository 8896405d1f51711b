import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { toCatalogError } from '@catalog/contract/errors/read-envelope';
import type { Connection } from './connection.ts';
import { isLoopback } from './is-loopback.ts';
import type { RegistryError } from './registry-error.ts';

/** Returns the URL of a path below the registry. An absolute URL stays as it is. */
export function resolveUrl({ registry }: Connection, path: string): string {
  return path.startsWith('/') ? `${registry}${path}` : path;
}

/**
 * Returns the token for a request. A URL with another origin, such as that of a large file, gets none. Without TLS, a
 * token is sent only to this machine.
 */
export async function chooseToken(
  connection: Connection,
  path: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { origin, protocol, hostname } = new URL(resolveUrl(connection, path));
  if (origin !== connection.origin) return undefined;
  const token = await connection.tokens.token(signal);
  if (token !== undefined && protocol !== 'https:' && !isLoopback(hostname)) {
    throw insecureTokenError(connection.origin);
  }
  return token;
}

/** Returns another token if the registry reports that the sent one has expired. */
export async function renewToken(
  { tokens }: Connection,
  { code }: CatalogError | RegistryError,
  token: string | undefined,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (token === undefined || code !== 'auth.token_expired') return undefined;
  const renewed = await tokens.refused?.(token, signal);
  return renewed === token ? undefined : renewed;
}

/** Adds the advice of the token source to the error of a request without a token. */
export function withAdvice(
  error: CatalogError | RegistryError,
  { tokens }: Connection,
  token: string | undefined,
): CatalogError | RegistryError {
  const { advice } = tokens;
  if (token !== undefined || advice === undefined || !(error instanceof CatalogError)) return error;
  if (!SIGN_IN_HELPS.has(error.code)) return error;
  return toCatalogError({ ...error.toEnvelope(), suggested_action: advice }) ?? error;
}

const SIGN_IN_HELPS: ReadonlySet<string> = new Set(['auth.forbidden', 'auth.tenant_unknown']);

function insecureTokenError(registry: string): CatalogError {
  return new CatalogError(
    'config.invalid',
    `catalog did not send a token to ${registry}: without https, anyone on the network path could read it.`,
    {
      details: { registry },
      suggested_action:
        'Use the https URL of the registry. Plain http is only for registries on this machine.',
    },
  );
}
