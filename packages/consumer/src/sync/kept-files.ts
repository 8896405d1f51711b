import { constants, copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { parentPath } from '@catalog/core/text/slash-path';
import { uniqueName } from '../id.ts';
import { behindLink, ignoreInGit } from '../lock/state-folder.ts';
import { observeTarget } from './observe-target.ts';
import { isCode } from './write-file.ts';

/** Kept version of a file; paths are relative to the target. */
export interface KeptFile {
  path: string;
  kept_at: string;
}

/** Folder of versions that the user edited; contains a .gitignore. */
export const KEPT_FOLDER = '.catalog/kept';
/** Folder of files that `--take-over` replaced; contains a .gitignore. */
export const BACKUP_FOLDER = '.catalog/backup';

/** Copies a file under a new name. */
export function keepCopy(directory: string, path: string, folder: string): KeptFile {
  const kept_at = makePlace(directory, path, folder);
  copyFileSync(`${directory}/${path}`, `${directory}/${kept_at}`, constants.COPYFILE_EXCL);
  return { path, kept_at };
}

export function moveToKept(directory: string, from: string, path: string): KeptFile {
  const kept_at = makePlace(directory, path, KEPT_FOLDER);
  try {
    renameSync(from, `${directory}/${kept_at}`);
  } catch (error) {
    if (!isCode(error, 'EXDEV')) throw error;
    copyFileSync(from, `${directory}/${kept_at}`, constants.COPYFILE_EXCL);
    rmSync(from, { force: true });
  }
  return { path, kept_at };
}

function makePlace(directory: string, path: string, folder: string): string {
  const place = `${folder}/${path}.${uniqueName().slice(0, 8)}`;
  const observed = observeTarget(directory, new Map(), new Set())(place);
  if (observed.kind === 'other') throw behindLink(directory, folder);
  mkdirSync(`${directory}/${parentPath(place)}`, { recursive: true });
  ignoreInGit(`${directory}/${folder}`);
  return place;
}
