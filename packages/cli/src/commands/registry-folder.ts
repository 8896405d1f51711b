import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readRegistryConfig } from '@catalog/core/layer/read-registry-config';
import { expandHome } from '@catalog/core/text/expand-home';
import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { refuseDirectory } from '@catalog/consumer/paths/refuse-directory';
import { refuseGitAddress } from '@catalog/consumer/config/refuse-git-address';
import type { Config, Sourced } from '@catalog/consumer/config/types';
import { defaultDecision } from '@catalog/consumer/trust/content-policy';
import { readLocalFile } from '@catalog/consumer/local-file';
import { noRegistry } from '@catalog/consumer/source/no-registry';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { Session } from '../command/session.ts';
import { usageError } from '../command/usage-errors.ts';
import { shortPath } from '../output/places.ts';
import { toConfigInput } from './config-flags.ts';

export interface RegistryFolder {
  /** Path of the folder, which may not exist yet. */
  path: string;
  multi_layer: boolean;
  layers: string[];
}

/** Finds the folder of a registry. If the user names one, the configuration is not read. */
export function loadRegistryFolder(session: Session, named: string | undefined): RegistryFolder {
  const registry = named ?? loadConfiguredRegistry(session).registry.value;
  return openNamedFolder(session, registry);
}

/**
 * Opens the folder for writing. A folder outside the workspace must be named by the user, because a file of the
 * workspace may come from a clone.
 */
export function openFolderToWrite(session: Session, named: string | undefined): RegistryFolder {
  const folder = named === undefined ? openConfigured(session) : openNamedFolder(session, named);
  refuseDirectory(folder.path, session.cwd, 'author');
  return folder;
}

function openConfigured(session: Session): RegistryFolder {
  const config = loadConfiguredRegistry(session);
  refuseUnnamedOutside(config, session);
  return openNamedFolder(session, config.registry.value);
}

function openNamedFolder({ cwd, home }: Session, registry: string): RegistryFolder {
  refuseAddress(registry);
  return openRegistryFolder(resolve(cwd, expandHome(registry, home)));
}

function refuseUnnamedOutside(config: ConfiguredRegistry, session: Session): void {
  const { registry } = config;
  if (isAddress(registry.value) || defaultDecision(registry, config).verdict === 'allow') return;
  const folder = shortPath(registry.value, session);
  throw new CatalogError(
    'config.untrusted',
    `The registry ${folder} is outside this workspace, and only ${registry.origin.name} names it. Nothing was written.`,
    {
      details: {
        file: registry.origin.name,
        wants: [`write artifacts into ${registry.value}`],
        changed: false,
      },
      suggested_action: `To write there, pass --registry ${folder}.`,
    },
  );
}

export function refuseAddress(registry: string): void {
  refuseGitAddress(registry);
  if (!isAddress(registry)) return;
  throw usageError(
    `This command needs a registry folder, but the registry is a server: ${registry}.`,
    'Pass the folder with --registry.',
    { argument: '--registry' },
  );
}

type ConfiguredRegistry = Config & { registry: Sourced<string> };

function loadConfiguredRegistry(session: Session): ConfiguredRegistry {
  const config = loadConfig(toConfigInput(session, {}));
  const { registry } = config;
  if (registry === undefined) throw noRegistry(config);
  return { ...config, registry };
}

export function openRegistryFolder(path: string): RegistryFolder {
  const file = join(path, '.registry-config');
  if (!existsSync(file)) return { path, multi_layer: false, layers: [] };
  const read = readLocalFile(file);
  if (read.kind === 'unreadable') {
    throw new CatalogError('config.invalid', `${file} ${read.reason}.`, {
      details: { file },
      suggested_action: 'Make it a readable file, or remove it.',
    });
  }
  const { multi_layer } = readRegistryConfig(Buffer.from(read.bytes).toString('utf8'), file);
  return { path, multi_layer, layers: multi_layer ? listFolders(path) : [] };
}

export function layerRoot(folder: RegistryFolder, layer: string): string {
  return folder.multi_layer ? join(folder.path, layer) : folder.path;
}

function listFolders(path: string): string[] {
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
}
