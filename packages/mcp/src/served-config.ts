import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import type { Config, ConfigInput } from '@catalog/consumer/config/types';
import { noRegistry } from '@catalog/consumer/source/no-registry';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { shellWord } from '@catalog/core/text/shell-word';

export type StartEnvironment = Omit<ConfigInput, 'flags'>;

export interface ServedConfig extends Config {
  registry: NonNullable<Config['registry']>;
}

/** Loads the configuration. Rejects a registry that is a folder (MCP-05). */
export function loadServedConfig(surroundings: StartEnvironment): ServedConfig {
  const config = loadConfig({ ...surroundings, flags: {} });
  const { registry } = config;
  if (registry === undefined) throw noRegistry(config);
  if (!isAddress(registry.value)) throw folderUnsupported(registry.value, registry.origin.name);
  return { ...config, registry };
}

/** Creates the error for a folder, which has no search. The message contains the command that starts a registry. */
function folderUnsupported(folder: string, origin: string): CatalogError {
  const serve = `catalog serve --layer-path ${shellWord(folder)}`;
  return new CatalogError(
    'config.filesystem_registry_unsupported',
    `${origin} is the folder ${folder}, but catalog-mcp needs the URL of a running registry.`,
    {
      suggested_action: `Run \`${serve}\` and set CATALOG_REGISTRY=http://127.0.0.1:8080, or deliver the folder with \`catalog sync\`.`,
    },
  );
}
