import { isAddress } from '../config/is-address.ts';
import type { Config } from '../config/types.ts';
import type { CatalogSource } from './catalog-source.ts';
import { openFolderSource } from './folder-source.ts';
import { noRegistry } from './no-registry.ts';
import type { SourceOptions } from './source-options.ts';

/** Opens the source of a configuration. The code for HTTP is imported only for a URL. */
export async function openSource(
  config: Config,
  options: SourceOptions = {},
): Promise<CatalogSource> {
  const { registry, overlay } = config;
  if (registry === undefined) throw noRegistry(config);
  if (!isAddress(registry.value)) return openFolderSource(registry.value, overlay?.value);
  const { openHttpSource } = await import('./http-source.ts');
  const { currentViewer } = await import('../identity/current-viewer.ts');
  const { openTokenSource } = await import('../identity/token-source.ts');
  const { signIn, ...callbacks } = options;
  return openHttpSource({
    registry: registry.value,
    overlay: overlay?.value,
    cache_folder: config.cache.value,
    min_server_versions: config.min_server_versions,
    proxy: config.proxy,
    tokens: openTokenSource(config, { signIn }),
    cache_mode: config.cache_mode?.value,
    object_hosts: config.object_hosts?.value ?? [],
    signing: config.signing,
    home: config.home,
    subject: (signal) => currentViewer(registry.value, config, signal),
    ...callbacks,
  });
}
