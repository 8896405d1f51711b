import { lstatSync, mkdirSync, renameSync } from 'node:fs';
import { parentPath } from '@catalog/core/text/slash-path';
import type { ParentGuard } from './parent-guard.ts';
import { isCode } from './write-file.ts';

export type Staging = ReadonlyMap<string, string>;

/**
 * Prepares new folders in a temporary folder, to be moved with one rename each. On another device, folders are created
 * in place.
 */
export function stageFolders(
  directory: string,
  missing: readonly string[],
  folder: string,
): Staging {
  const staging = new Map<string, string>();
  const made = new Set<string>();
  const { dev } = lstatSync(folder);
  for (const path of missing) {
    const parent = parentPath(path);
    const staged = staging.get(parent);
    if (staged !== undefined) staging.set(path, `${staged}/${path.slice(parent.length + 1)}`);
    else if (!made.has(parent) && lstatSync(`${directory}/${parent}`).dev === dev) {
      staging.set(path, `${folder}/folder-${staging.size}`);
    } else made.add(path);
    mkdirSync(staging.get(path) ?? `${directory}/${path}`);
  }
  return staging;
}

/** Moves folders into place. Returns those that could not be moved. */
export function moveIntoPlace(
  directory: string,
  staging: Staging,
  guard: ParentGuard,
): ReadonlySet<string> {
  const blocked = new Set<string>();
  for (const [path, staged] of staging) {
    if (staging.has(parentPath(path))) continue;
    guard.check(path);
    try {
      renameSync(staged, `${directory}/${path}`);
    } catch (error) {
      // A rename between two mounts fails even if their device numbers are equal.
      if (!isCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EXDEV')) throw error;
      blocked.add(path);
    }
  }
  guard.reset();
  for (const path of staging.keys()) {
    if (isBlocked(path, blocked)) makeFolder(`${directory}/${path}`);
  }
  return blocked;
}

function isBlocked(folder: string, blocked: ReadonlySet<string>): boolean {
  for (let path = folder; path !== ''; path = parentPath(path)) if (blocked.has(path)) return true;
  return false;
}

/** Creates a folder. Errors are reported later, when files are written. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if (!isCode(error, 'EEXIST', 'ENOTDIR', 'ENOENT')) throw error;
  }
}
