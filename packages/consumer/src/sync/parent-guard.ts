import { lstatSync, statSync, type Stats } from 'node:fs';
import { parentPath } from '@catalog/core/text/slash-path';
import type { WritePurpose } from '@catalog/core/artifact/write-problem';
import { behindLink } from '../lock/state-folder.ts';
import { refusePath } from '../paths/refuse-path.ts';

/** Detects that another program replaces a folder while a run writes into it. */
export interface ParentGuard {
  /**
   * Checks a path before it changes. Throws if catalog must not write it, if its folder was replaced, or if a link
   * leads to it.
   */
  check(path: string): void;
  /** Forgets known folders, after the run itself changed some. */
  reset(): void;
}

/** Opens a guard for the folders of a target. The path of the target may contain links of the user. */
export function openParentGuard(directory: string, purpose: WritePurpose = 'deliver'): ParentGuard {
  const seen = new Map<string, Stats>();

  /** Records a folder and its parents with their inodes. */
  function enter(path: string): void {
    if (seen.has(path)) return;
    if (path !== '') enter(parentPath(path));
    const stats =
      path === ''
        ? statSync(directory, { throwIfNoEntry: false })
        : lstatSync(`${directory}/${path}`, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) throw behindLink(directory, path);
    seen.set(path, stats);
  }

  return {
    check: (path) => {
      refusePath(directory, path, purpose);
      const folder = parentPath(path);
      const first = seen.get(folder);
      if (first === undefined) {
        enter(folder);
        return;
      }
      const now = lstatSync(`${directory}/${folder}`, { throwIfNoEntry: false });
      const isSame = now === undefined || (now.ino === first.ino && now.dev === first.dev);
      if (!isSame && folder !== '') throw behindLink(directory, folder);
    },
    reset: () => seen.clear(),
  };
}
