import { openClient, type RegistryClient } from '@catalog/sdk/client';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { openTokenSource } from '../identity/token-source.ts';
import { openNodeTransport } from '../source/node-transport.ts';

/** The client of the server a configuration names, over Node's own connections, with the caller's tokens. */
export function openRegistryClient(
  registry: string,
  config: Config,
  options: IdentityOptions = {},
): RegistryClient {
  const tokens = openTokenSource(config, options);
  return openClient({ registry, transport: openNodeTransport(config.proxy), tokens });
}
