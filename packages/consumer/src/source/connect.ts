import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { openConnection, type Connection, type ConnectionOptions } from '@catalog/sdk/connection';
import type { Transport } from '@catalog/sdk/transport';
import type { CacheMode } from '../config/cache-modes.ts';
import type { ApprovedTokens } from '../trust/approve-tokens.ts';
import { guardDownloads } from './guard-downloads.ts';
import { openNodeTransport } from './node-transport.ts';

export interface ConnectOptions extends Pick<ConnectionOptions, 'onReadOnly'> {
  registry: string;
  /** Anonymous if undefined. */
  tokens?: ApprovedTokens | undefined;
  proxy: Readonly<Record<string, string>>;
  cache_mode: CacheMode | undefined;
  /** Hosts at private addresses that the registry may send downloads to. */
  object_hosts: readonly string[];
  /** Connections that others use as well; its own unless given. */
  transport?: Transport | undefined;
}

/** The registry over Node's own connections; or one that is never asked anything (CACHE-06). */
export function connect({
  registry,
  proxy,
  cache_mode,
  object_hosts,
  transport = openNodeTransport(proxy),
  ...options
}: ConnectOptions): Connection {
  // Tokens are left out: renewing one would ask somebody, too.
  if (cache_mode === 'offline-only') return openConnection({ registry, transport: sendNothing });
  const guarded = guardDownloads(transport, { registry, object_hosts });
  return openConnection({ registry, transport: guarded, ...options });
}

const sendNothing: Transport = () => Promise.reject(cacheMiss('the required content'));

/** The registry may not be asked, and the cache does not say (ERR-64). */
export function cacheMiss(
  what: string,
  details: { artifact_id?: string; version?: string } = {},
): CatalogError {
  return new CatalogError(
    'network.offline_cache_miss',
    `The cache does not contain ${what}, and CATALOG_CACHE_MODE is offline-only.`,
    { details },
  );
}
