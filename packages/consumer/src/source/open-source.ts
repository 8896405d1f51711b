import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Config } from '../config/types.ts';
import type { CatalogSource } from './catalog-source.ts';
import { openFolderSource } from './folder-source.ts';
import { noRegistry } from './no-registry.ts';

/** Opens the registry of a configuration. */
export function openSource(config: Config): CatalogSource {
  const { registry, overlay } = config;
  if (registry === undefined) throw noRegistry(config);
  if (/^https?:\/\//.test(registry.value)) {
    throw new CatalogError(
      'config.invalid',
      `${registry.value} is the address of a server; this version reads folders only.`,
      {
        details: { registry: registry.value },
        suggested_action: 'Name a folder with --registry or defaults.registry.',
      },
    );
  }
  return openFolderSource(registry.value, overlay?.value);
}
