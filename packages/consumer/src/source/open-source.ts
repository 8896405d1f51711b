import { isAddress } from '../config/is-address.ts';
import type { Config } from '../config/types.ts';
import type { CatalogSource } from './catalog-source.ts';
import { openFolderSource } from './folder-source.ts';
import { noRegistry } from './no-registry.ts';

export interface SourceOptions {
  /** Told how far loading artifacts from a registry over HTTP has come. */
  onLoad?: ((done: number, total: number) => void) | undefined;
}

/** Opens the registry of a configuration; what one over HTTP needs is loaded only for one. */
export async function openSource(
  config: Config,
  options: SourceOptions = {},
): Promise<CatalogSource> {
  const { registry, overlay } = config;
  if (registry === undefined) throw noRegistry(config);
  if (!isAddress(registry.value)) return openFolderSource(registry.value, overlay?.value);
  const { openHttpSource } = await import('./http-source.ts');
  return openHttpSource({
    registry: registry.value,
    overlay: overlay?.value,
    cache_folder: config.cache.value,
    min_server_versions: config.min_server_versions,
    proxy: config.proxy,
    onLoad: options.onLoad,
  });
}
