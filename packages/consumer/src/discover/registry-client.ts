import { openClient, type RegistryClient } from '@catalog/sdk/client';
import type { Connection } from '@catalog/sdk/connection';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { openTokenSource } from '../identity/token-source.ts';
import { connect } from '../source/connect.ts';

export function openRegistryClient(
  registry: string,
  config: Config,
  options: IdentityOptions = {},
): RegistryClient {
  return openClient(connectRegistry(registry, config, options));
}

export function connectRegistry(
  registry: string,
  config: Config,
  options: IdentityOptions = {},
): Connection {
  return connect({
    registry,
    proxy: config.proxy,
    tokens: openTokenSource(config, options),
    cache_mode: config.cache_mode?.value,
    object_hosts: config.object_hosts?.value ?? [],
  });
}
