import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { TreeWatch } from './watch-tree.ts';

/** How often a folder that cannot be watched is looked at, as specified. */
export const POLL_MS = 500;

/** Looks at a folder again and again; an event is a change of any path, modification time or size. */
export function pollTree(root: string, onEvent: () => void): TreeWatch {
  let last = fingerprintTree(root);
  const timer = setInterval(() => {
    const current = fingerprintTree(root);
    if (current === last) return;
    last = current;
    onEvent();
  }, POLL_MS);
  return { close: () => clearInterval(timer) };
}

function fingerprintTree(root: string): string {
  const lines: string[] = [];
  const stack = [root];
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    for (const entry of list(folder)) {
      if (entry.isDirectory() && entry.name.startsWith('.')) continue;
      const path = `${folder}/${entry.name}`;
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      lines.push(`${path}\0${stats.mtimeMs}\0${stats.size}`);
      if (stats.isDirectory()) stack.push(path);
    }
  }
  return bytesHash(lines.sort().join('\n'));
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // gone since it was seen; its absence is what changes the fingerprint
  }
}
