import { openClient, type RegistryClient } from '@catalog/sdk/client';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { openTokenSource } from '../identity/token-source.ts';
import { connect } from '../source/connect.ts';

/** The client of the server a configuration names, over Node's own connections, with the caller's tokens. */
export function openRegistryClient(
  registry: string,
  config: Config,
  options: IdentityOptions = {},
): RegistryClient {
  const connection = connect({
    registry,
    proxy: config.proxy,
    tokens: openTokenSource(config, options),
    cache_mode: config.cache_mode?.value,
    object_hosts: config.object_hosts?.value ?? [],
  });
  return openClient(connection);
}
