import { lstatSync, statSync, type Stats } from 'node:fs';
import { parentPath } from '@catalog/core/text/slash-path';
import type { WritePurpose } from '@catalog/core/artifact/write-problem';
import { behindLink } from '../lock/state-folder.ts';
import { refusePath } from '../paths/refuse-path.ts';

/** Notices folders that are exchanged while a run writes into them. */
export interface ParentGuard {
  /**
   * Checks, right before a path is created, replaced or removed, that catalog may write it, that its
   * folder is still the one the run saw first, and that no link leads to it. Throws otherwise.
   */
  check(path: string): void;
  /** Forgets the folders seen so far, after the run itself removed or moved some. */
  reset(): void;
}

/** Watches the folders below a target. The target itself may be reached through a link of the user's. */
export function openParentGuard(directory: string, purpose: WritePurpose = 'deliver'): ParentGuard {
  const seen = new Map<string, Stats>();

  /**
   * Records a folder and everything above it; the inode then stands for the whole path. A folder that
   * does not exist leads nowhere.
   */
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
