import { lstatSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { reservedProblem, type WritePurpose } from '@catalog/core/artifact/write-problem';
import { isInside, realFolder } from '../config/real-folder.ts';

/**
 * Refuses a directory that catalog must not write to (ADR-0072): metadata of version control, or
 * catalog's own files. Names count below the workspace. For a directory outside of the workspace, and
 * if there is no workspace, the whole path counts.
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
 * Finds a git directory of any name that a directory is or lies in, as git does: a bare repository, or
 * one that the `.git` file of a worktree or submodule names. A working tree inside of it is none.
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

/** A file that cannot be read, or is below one, is not a part of a repository in use. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
