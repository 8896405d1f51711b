import { isAddress } from '../config/is-address.ts';
import type { Config } from '../config/types.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
import { noRegistry } from '../source/no-registry.ts';
import type { Discovery } from './discovery.ts';

/** Opens discovery of the registry, without the overlay. */
export async function openDiscovery(
  config: Config,
  options: IdentityOptions = {},
): Promise<Discovery> {
  const { registry } = config;
  if (registry === undefined) throw noRegistry(config);
  if (!isAddress(registry.value)) {
    const { openFolderDiscovery } = await import('./folder-discovery.ts');
    return openFolderDiscovery(registry.value);
  }
  const { openRegistryClient } = await import('./registry-client.ts');
  return openRegistryClient(registry.value, config, options);
}
