import { statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isSafeDirectory } from '../config/refuse-foreign-workspace.ts';
import { isInside, realFolder } from '../config/real-folder.ts';
import type { Config, ConfigFile, MarketplaceTarget, ResolvedTarget } from '../config/types.ts';
import { approve, type Approved } from './approved.ts';
import { findRunByOthers, isRunByOthers } from './run-by-others.ts';
import { isOfWorkspace, isTyped, listWorkspaceFiles } from './workspace-files.ts';
import { requireTrust, type TrustOptions } from './require-trust.ts';

/** Folder that a run may change, created by `approveFolder`. */
export type ApprovedFolder = Approved<string>;

type FolderConfig = Pick<
  Config,
  'workspace' | 'scope' | 'files' | 'trust_file' | 'safe_directories' | 'home'
>;

/** Target, with the origins of its folder. */
export type FolderTarget =
  | Pick<ResolvedTarget, 'directory' | 'origins' | 'harness'>
  | Pick<MarketplaceTarget, 'directory' | 'origins' | 'harnesses'>;

/**
 * Approves a folder that a run changes. A folder inside the workspace needs no consent, and neither does one that the
 * user named by a flag, unless a link of the workspace leads there. Any other folder requires trust in all workspace
 * files that determine it, because they may come from a clone (SPEC-75). A folder from which other programs run files
 * also requires trust, unless the harness defines the paths.
 */
export async function approveFolder(
  directory: string,
  targets: readonly FolderTarget[],
  config: FolderConfig,
  options: TrustOptions,
  effect: 'write' | 'remove' = 'write',
): Promise<ApprovedFolder> {
  const real = realFolder(directory);
  refuseWritableByOthers(real, config);
  const workspace = realFolder(config.workspace);
  const isOutside = !isInside(real, workspace);
  const free = targets.filter(isFree);
  if (!isOutside && !free.some((target) => isRunByOthers(target.directory, config))) {
    return approve(directory);
  }
  if (isOutside && config.scope !== 'user') refuseLinks(targets, real, workspace);
  const why = isOutside ? `outside ${config.workspace}` : RUN_BY_OTHERS;
  for (const file of listCauses(isOutside ? targets : free, config, effect)) {
    await requireTrust(config, file, [`write files into ${real}, ${why}`], options);
  }
  return approve(directory);
}

const RUN_BY_OTHERS = 'from which other programs run files';

/** Returns true if the registry and not the harness chooses paths. */
function isFree(target: FolderTarget): boolean {
  return 'harnesses' in target || target.harness === 'none';
}

/**
 * Approves the paths of a target. Files that other programs run require trust, because a registry chooses these paths.
 */
export async function approvePaths(
  target: FolderTarget,
  paths: readonly string[],
  config: FolderConfig,
  options: TrustOptions,
): Promise<void> {
  if (!isFree(target) || (isTyped(target) && isRunByOthers(target.directory, config))) return;
  const found = findRunByOthers(target.directory, paths, config);
  if (found === undefined) return;
  const { directory, files } = target.origins;
  const wants = [`write ${join(target.directory, found)}, ${RUN_BY_OTHERS}`];
  for (const file of listWorkspaceFiles(config.files, [...directory, ...files])) {
    await requireTrust(config, file, wants, options);
  }
}

function listCauses(
  targets: readonly FolderTarget[],
  { files }: FolderConfig,
  effect: 'write' | 'remove',
): ConfigFile[] {
  const causes = targets
    .filter((target) => !isTyped(target))
    .flatMap(({ origins }) => [...origins.directory, ...(effect === 'write' ? origins.files : [])]);
  return listWorkspaceFiles(files, causes);
}

function refuseLinks(targets: readonly FolderTarget[], real: string, workspace: string): void {
  for (const { directory, origins } of targets) {
    if (origins.directory.some(isOfWorkspace)) continue;
    if (leadsThrough(workspace, directory)) throw behindLink(directory, real);
  }
}

function leadsThrough(folder: string, path: string): boolean {
  const parent = dirname(path);
  return parent !== path && (isInside(realFolder(parent), folder) || leadsThrough(folder, parent));
}

function behindLink(directory: string, real: string): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `${directory} is behind a link that leads out of the workspace, to ${real}.`,
    {
      details: { path: directory },
      suggested_action: `If you want to write there, name that folder: \`--target ${real}\`.`,
    },
  );
}

/** Throws if every user can replace files in the folder, which the sticky bit prevents. */
function refuseWritableByOthers(directory: string, config: FolderConfig): void {
  const stats = statSync(directory, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o1002) !== 0o002) return;
  if (process.platform === 'win32' || !hasPermissions(directory)) return;
  const safe_directories = config.safe_directories?.value ?? [];
  if (isSafeDirectory(directory, { safe_directories, home: config.home })) return;
  throw new CatalogError(
    'materialize.target_invalid',
    `${directory} is writable for every user of this machine, so another user could replace files while catalog writes them.`,
    {
      details: { path: directory },
      suggested_action: `Run \`chmod o-w ${directory}\`, or add it to safe_directories in ~/.catalog/sync.yaml.`,
    },
  );
}

/** File systems that emulate permissions: FAT, exFAT, NTFS, CIFS, SMB, 9p, FUSE. */
const WITHOUT_PERMISSIONS = new Set([
  0x4d_44, 0x20_11_ba_b0, 0x53_46_54_4e, 0x73_66_74_6e, 0xff_53_4d_42, 0xfe_53_4d_42, 0x51_7b,
  0x01_02_19_97, 0x65_73_55_46,
]);

function hasPermissions(directory: string): boolean {
  return !WITHOUT_PERMISSIONS.has(statfsSync(directory).type >>> 0);
}

/** Approves a folder that the user passed to the command, or that the host of an agent set. */
export function chosenByUser(directory: string): ApprovedFolder {
  return approve(directory);
}
