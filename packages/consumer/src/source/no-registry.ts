import { isAbsolute, relative, resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { shellWord } from '@catalog/core/text/shell-word';
import { isAddress } from '../config/is-address.ts';
import type { Config } from '../config/types.ts';
import { loadLock } from '../lock/read-lock.ts';

/** Creates the error for a missing registry. If flags named one at the last sync, the advice contains them. */
export function noRegistry(config: Config): CatalogError {
  const last = getLastSync(config);
  return new CatalogError(
    'config.no_registry',
    'No registry is configured: set --registry, CATALOG_REGISTRY, or defaults.registry in a sync.yaml.',
    last === undefined ? {} : { suggested_action: adviseSavingSettings(last, config.workspace) },
  );
}

interface LastSync {
  registry: string;
  harness: string;
}

function adviseSavingSettings({ registry, harness }: LastSync, workspace: string): string {
  const inside = isAbsolute(registry) ? relative(workspace, registry) : '..';
  const folder = inside === '' ? '.' : inside.startsWith('..') ? registry : `./${inside}`;
  return `Run \`catalog init --registry ${shellWord(folder)} --harness ${shellWord(harness)}\` in ${workspace}, which the last sync there used, or pass \`--registry\`.`;
}

function getLastSync({ targets }: Config): LastSync | undefined {
  for (const { directory } of targets) {
    const [last] = getLockedTargets(directory);
    if (last === undefined) continue;
    const { registry, harness } = last;
    return { registry: isAddress(registry) ? registry : resolve(directory, registry), harness };
  }
  return undefined;
}

/** An unreadable lock counts as empty, because the error is about the registry. */
function getLockedTargets(directory: string): LastSync[] {
  try {
    return loadLock(directory).targets;
  } catch (error) {
    if (error instanceof CatalogError) return [];
    throw error;
  }
}
