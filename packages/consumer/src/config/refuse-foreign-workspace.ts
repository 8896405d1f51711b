import { lstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expandHome } from '@catalog/core/text/expand-home';
import { realFolder } from './real-folder.ts';
import type { ConfigInput } from './types.ts';

export interface OwnershipCheck extends Pick<ConfigInput, 'home' | 'env'> {
  safe_directories: readonly string[];
}

/**
 * Rejects a workspace of another user, like git with `safe.directory`: any user can create a `.catalog` folder in a
 * shared folder above the working folder.
 */
export function refuseForeignWorkspace(workspace: string, check: OwnershipCheck): void {
  const folder = `${workspace}/.catalog`;
  const foreign = ownersOf(folder).find((owner) => !isTrustedOwner(owner, check.env));
  if (foreign === undefined || isSafeDirectory(workspace, check)) return;
  throw new CatalogError(
    'config.unsafe_workspace',
    `${folder} belongs to another user (uid ${foreign}), so catalog does not use it: its files could control what catalog writes and runs as you.`,
    {
      details: { path: folder, owner: foreign },
      suggested_action: `If you trust the owner, add ${workspace} to safe_directories in ${resolve(check.home)}/.catalog/sync.yaml.`,
    },
  );
}

/** Returns the owner of a folder and, for a link, also that of the link. */
function ownersOf(folder: string): number[] {
  // Windows has no user ids.
  if (process.geteuid === undefined) return [];
  const link = lstatSync(folder, { throwIfNoEntry: false });
  if (link === undefined) return [];
  const target = link.isSymbolicLink() ? statSync(folder, { throwIfNoEntry: false }) : undefined;
  return [link, ...(target === undefined ? [] : [target])].map(({ uid }) => uid);
}

/** Returns true for the current user, and for the user who called `sudo`. */
function isTrustedOwner(owner: number, env: ConfigInput['env']): boolean {
  const user = process.geteuid?.();
  if (owner === user) return true;
  const { SUDO_UID: caller = '' } = env;
  return user === 0 && /^\d+$/.test(caller) && owner === Number(caller);
}

/** Returns true if a list contains a folder. `*` matches every folder, and a trailing `/*` every folder below. */
export function isSafeDirectory(
  workspace: string,
  { safe_directories, home }: Pick<OwnershipCheck, 'safe_directories' | 'home'>,
): boolean {
  const place = realFolder(workspace);
  return safe_directories.some((entry) => {
    if (entry === '*') return true;
    const listed = realFolder(resolve(home, expandHome(entry.replace(/\/\*$/, ''), home)));
    return entry.endsWith('/*') ? place.startsWith(`${listed}/`) : place === listed;
  });
}
