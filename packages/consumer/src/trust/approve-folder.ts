import { sep } from 'node:path';
import { realFolder } from '../config/real-folder.ts';
import type { Config, ConfigFile } from '../config/types.ts';
import { approve, type Approved } from './approved.ts';
import { requireTrust, type TrustOptions } from './require-trust.ts';

/** A folder catalog may write into. */
export type ApprovedFolder = Approved<string>;

type FolderConfig = Pick<Config, 'workspace' | 'scope' | 'target' | 'files' | 'trust_file'>;

/**
 * Approves a folder a run writes into. A folder inside the workspace, by its real path, needs nothing,
 * and neither does one the user named by a flag or in their own configuration. One that only a file of
 * the workspace names needs trust in that file (decision 75): it may have come with a clone.
 */
export async function approveFolder(
  directory: string,
  config: FolderConfig,
  options: TrustOptions,
): Promise<ApprovedFolder> {
  const real = realFolder(directory);
  const file = isInside(real, realFolder(config.workspace)) ? undefined : namingFile(real, config);
  if (file !== undefined) {
    const wants = [`write files into ${real}, outside of ${config.workspace}`];
    await requireTrust(config, file, wants, options);
  }
  return approve(directory);
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

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
