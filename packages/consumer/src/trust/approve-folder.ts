import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { isSafeDirectory } from '../config/refuse-foreign-workspace.ts';
import { isInside, realFolder } from '../config/real-folder.ts';
import type { Config, ConfigFile } from '../config/types.ts';
import { approve, type Approved } from './approved.ts';
import { requireTrust, type TrustOptions } from './require-trust.ts';

/** A folder catalog may write into. */
export type ApprovedFolder = Approved<string>;

type FolderConfig = Pick<
  Config,
  'workspace' | 'scope' | 'target' | 'files' | 'trust_file' | 'safe_directories' | 'home'
>;

/**
 * Approves a folder a run writes into. A folder inside the workspace, by its real path, needs nothing,
 * and neither does one the user named by a flag or in their own configuration, unless that name leads
 * through a link of the workspace. One that only a file of the workspace names needs trust in that file
 * (SPEC-75): it may have come with a clone.
 */
export async function approveFolder(
  directory: string,
  config: FolderConfig,
  options: TrustOptions,
): Promise<ApprovedFolder> {
  const real = realFolder(directory);
  refuseWritableByOthers(real, config);
  const workspace = realFolder(config.workspace);
  if (isInside(real, workspace)) return approve(directory);
  const file = namingFile(real, config);
  if (file !== undefined) {
    const wants = [`write files into ${real}, outside ${config.workspace}`];
    await requireTrust(config, file, wants, options);
  } else if (config.scope !== 'user') {
    const named = config.target.value;
    if (realFolder(named) === real && leadsThrough(workspace, named)) throw behindLink(named, real);
  }
  return approve(directory);
}

/** Whether a path that ends outside a folder leads through it: a link in the folder leads out of it. */
function leadsThrough(folder: string, path: string): boolean {
  const parent = dirname(path);
  return parent !== path && (isInside(realFolder(parent), folder) || leadsThrough(folder, parent));
}

/** Refuses a folder that the user named by a link of the workspace, which may have come with a clone. */
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

/**
 * Refuses a folder in which every user of the machine can exchange files and folders while catalog
 * writes. The sticky bit prevents that, as in `/tmp`.
 */
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

/** Types of file systems whose permissions are made up: FAT, exFAT, NTFS, CIFS, SMB, 9p, FUSE. */
const WITHOUT_PERMISSIONS = new Set([
  0x4d_44, 0x20_11_ba_b0, 0x53_46_54_4e, 0x73_66_74_6e, 0xff_53_4d_42, 0xfe_53_4d_42, 0x51_7b,
  0x01_02_19_97, 0x65_73_55_46,
]);

function hasPermissions(directory: string): boolean {
  return !WITHOUT_PERMISSIONS.has(statfsSync(directory).type >>> 0);
}

/** Approves a folder that the user chose in the command itself, or that the host of an agent set. */
export function chosenByUser(directory: string): ApprovedFolder {
  return approve(directory);
}

/** The file of the workspace that names a folder; undefined if the user did. */
function namingFile(real: string, { scope, target, files }: FolderConfig): ConfigFile | undefined {
  if (scope === 'user') return undefined;
  const { kind } = target.origin;
  const isUsers = kind === 'flag' || kind === 'env' || kind === 'user';
  if (isUsers && realFolder(target.value) === real) return undefined;
  const own = files.filter(({ origin }) => origin.kind !== 'user');
  const listing = files.findLast(({ content }) => content.targets !== undefined);
  if (listing?.origin.kind === 'user') return undefined;
  return listing ?? own.at(-1);
}
