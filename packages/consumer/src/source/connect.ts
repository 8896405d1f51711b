import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { openConnection, type Connection, type ConnectionOptions } from '@catalog/sdk/connection';
import type { Transport } from '@catalog/sdk/transport';
import type { CacheMode } from '../config/cache-modes.ts';
import type { ApprovedTokens } from '../trust/approve-tokens.ts';
import { guardDownloads } from './guard-downloads.ts';
import { openNodeTransport } from './node-transport.ts';

export interface ConnectOptions extends Pick<ConnectionOptions, 'onReadOnly'> {
  registry: string;
  /** Tokens; if undefined, requests are anonymous. */
  tokens?: ApprovedTokens | undefined;
  proxy: Readonly<Record<string, string>>;
  cache_mode: CacheMode | undefined;
  /** Hosts with private addresses that the registry may refer to for downloads. */
  object_hosts: readonly string[];
  transport?: Transport | undefined;
}

/** Connects to a registry. With `offline-only`, no request is ever sent (CACHE-06). */
export function connect({
  registry,
  proxy,
  cache_mode,
  object_hosts,
  transport = openNodeTransport(proxy),
  ...options
}: ConnectOptions): Connection {
  // Renewing a token would also need the network.
  if (cache_mode === 'offline-only') return openConnection({ registry, transport: sendNothing });
  const guarded = guardDownloads(transport, { registry, object_hosts });
  return openConnection({ registry, transport: guarded, ...options });
}

const sendNothing: Transport = () => Promise.reject(cacheMiss('the required content'));

/** Creates the error for data that is not cached, if the registry must not be contacted (ERR-64). */
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
