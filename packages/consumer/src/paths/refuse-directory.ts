import { lstatSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { reservedProblem, type WritePurpose } from '@catalog/core/artifact/write-problem';
import { isInside, realFolder } from '../config/real-folder.ts';

/**
 * Throws if a folder belongs to version control or to catalog itself (ADR-0072). Checks the names below the workspace,
 * or the whole path outside of it.
 */
export function refuseDirectory(
  directory: string,
  workspace: string | undefined,
  purpose: WritePurpose,
  suggested_action = 'Choose a directory outside of version control and of .catalog.',
): void {
  const problem =
    namesProblem(directory, workspace, purpose) ??
    namesProblem(
      realFolder(directory),
      workspace === undefined ? undefined : realFolder(workspace),
      purpose,
    ) ??
    gitDirectoryProblem(directory);
  if (problem === undefined) return;
  throw new CatalogError(
    'materialize.target_invalid',
    `Cannot write to ${directory}: it ${problem}. Nothing was written.`,
    { details: { path: directory }, suggested_action },
  );
}

function namesProblem(
  directory: string,
  workspace: string | undefined,
  purpose: WritePurpose,
): string | undefined {
  const isBelow = workspace !== undefined && isInside(directory, workspace);
  return reservedProblem(isBelow ? relative(workspace, directory) : directory, purpose);
}

/**
 * Finds a git directory with any name, by the rules of git: a bare repository, or the target of a `.git` file. A
 * working tree inside one is allowed.
 */
function gitDirectoryProblem(directory: string): string | undefined {
  for (let folder = realFolder(directory); ; folder = dirname(folder)) {
    if (exists(`${folder}/.git`)) return undefined;
    if (isGitDirectory(folder)) return `is inside version control: ${folder} is a git directory`;
    if (folder === dirname(folder)) return undefined;
  }
}

function isGitDirectory(folder: string): boolean {
  if (!exists(`${folder}/HEAD`)) return false;
  return exists(`${folder}/commondir`) || (exists(`${folder}/objects`) && exists(`${folder}/refs`));
}

/** Returns true if a path is accessible. Git cannot use an unreadable repository either. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
