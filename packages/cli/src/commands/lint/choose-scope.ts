import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isAddress } from '@catalog/consumer/config/is-address';
import { loadConfig } from '@catalog/consumer/config/load-config';
import { realFolder } from '@catalog/consumer/config/real-folder';
import type { Config, Sourced } from '@catalog/consumer/config/types';
import { isOfWorkspace } from '@catalog/consumer/trust/workspace-files';
import { noRegistry } from '@catalog/consumer/source/no-registry';
import type { Session } from '../../command/session.ts';
import { usageError } from '../../command/usage-errors.ts';
import { pathInside, shortPath } from '../../output/places.ts';
import { toConfigFlags, toConfigInput } from '../config-flags.ts';
import { openRegistryFolder, refuseAddress, type RegistryFolder } from '../registry-folder.ts';

export interface LintScope {
  folder: RegistryFolder;
  overlay: string | undefined;
  /** Path or artifact whose findings are shown; absent for all. */
  within: string | undefined;
  /** Folder outside the workspace that only a file of the workspace names. */
  foreign: Sourced<string> | undefined;
}

interface ScopeInput {
  arguments: { path: string | undefined };
  flags: { registry: string | undefined; overlay: string | undefined };
}

interface CommandContext extends Session {
  command: string;
}

/**
 * Chooses the files to lint. Without a path, these are the sources of a sync with the same flags. A path can be a
 * registry or a part of one, which is located first because ids are relative to it.
 */
export function chooseScope(
  command: string,
  { arguments: { path }, flags }: ScopeInput,
  session: Session,
): LintScope {
  const asking = { ...session, command };
  const { registry, overlay } = flags;
  const config = loadConfig(toConfigInput(session, toConfigFlags({ registry, overlay })));
  if (path === undefined) return configuredScope(config, undefined);
  const within = resolve(session.cwd, path);
  if (!existsSync(within)) throw missingPathError(path, asking);
  if (holds(config.registry, within)) {
    // Only a flag adds the overlay, so that all users get the same findings.
    return { ...configuredScope(config, within), overlay: flagged(config) };
  }
  if (config.registry !== undefined && holds(config.overlay, within)) {
    return configuredScope(config, within);
  }
  if (registry !== undefined) throw outsideOf(registry, path, asking);
  const found = findRegistry(within, path, asking);
  return {
    folder: openRegistryFolder(found),
    overlay: flagged(config),
    within,
    foreign: undefined,
  };
}

function configuredScope(config: Config, within: string | undefined): LintScope {
  const { registry, overlay, workspace } = config;
  if (registry === undefined) throw noRegistry(config);
  refuseAddress(registry.value);
  const foreign = [registry, overlay].find(
    (folder) =>
      folder !== undefined &&
      isOfWorkspace(folder.origin) &&
      pathInside(realFolder(workspace), realFolder(folder.value)) === undefined,
  );
  return {
    folder: openRegistryFolder(registry.value),
    overlay: overlay?.value,
    within,
    // A path that the user typed needs no confirmation.
    foreign: within === undefined ? foreign : undefined,
  };
}

function flagged({ overlay }: Config): string | undefined {
  return overlay?.origin.kind === 'flag' ? overlay.value : undefined;
}

function holds(folder: Sourced<string> | undefined, path: string): boolean {
  if (folder === undefined || isAddress(folder.value)) return false;
  return pathInside(folder.value, path) !== undefined;
}

function missingPathError(path: string, { command }: CommandContext): Error {
  return usageError(
    `${path} does not exist.`,
    `Check the path. To use the configured registry, run \`catalog ${command}\` without a path.`,
    { command, argument: 'path' },
  );
}

function outsideOf(registry: string, path: string, { command }: CommandContext): Error {
  return usageError(
    `${path} is not inside the registry ${registry}.`,
    'Pass a path inside the registry, or omit --registry.',
    { command, argument: 'path' },
  );
}

function findRegistry(within: string, typed: string, asking: CommandContext): string {
  const { command } = asking;
  const isFolder = statSync(within).isDirectory();
  const above = listAbove(isFolder ? within : dirname(within));
  const configured = above.find((folder) => existsSync(join(folder, '.registry-config')));
  const outermost = above.findLast((folder) => isPackage(folder));
  const found = configured ?? (outermost === undefined ? undefined : dirname(outermost));
  if (found === undefined && !isFolder) {
    throw usageError(
      `${typed} is not part of an artifact: no ARTIFACT.md or SKILL.md in its folder or above.`,
      'Pass the registry folder, or an artifact in it.',
      { command, argument: 'path' },
    );
  }
  if (found !== undefined && found !== within) {
    asking.note(`Checking ${typed} as part of the registry ${shortPath(found, asking)}`);
  }
  return found ?? within;
}

/** Lists a folder and its parents, nearest first. */
function listAbove(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...listAbove(parent)];
}

function isPackage(folder: string): boolean {
  return ['ARTIFACT.md', 'SKILL.md'].some((name) => existsSync(join(folder, name)));
}
