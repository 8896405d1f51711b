import { lstatSync, readdirSync, type Dirent } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { bytesHash } from '../artifact/content-hash.ts';
import { now } from './clock.ts';
import type { TreeWatch } from './watch-tree.ts';

export const POLL_MS = 500;
/** Pauses between polls are at least this many times as long as a poll. */
const MIN_PAUSE_RATIO = 10;

const FILES_PER_TURN = 2000;

/** Polls a directory. Calls `onEvent` after a change of a path, modification time or size. */
export function pollTree(root: string, onEvent: () => void): TreeWatch {
  let timer: NodeJS.Timeout | undefined;
  let last: string | undefined;
  let closed = false;

  async function poll(): Promise<void> {
    const started = now();
    const current = await fingerprintTree(root);
    if (closed) return;
    const pause = Math.max(POLL_MS, (now() - started) * MIN_PAUSE_RATIO);
    timer = setTimeout(() => void poll(), pause);
    const changed = last !== undefined && current !== last;
    last = current;
    if (changed) onEvent();
  }

  void poll();
  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

async function fingerprintTree(root: string): Promise<string> {
  const lines: string[] = [];
  const stack = [root];
  let visited = 0;
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    for (const entry of list(folder)) {
      if (entry.isDirectory() && entry.name.startsWith('.')) continue;
      const path = `${folder}/${entry.name}`;
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      lines.push(`${path}\0${stats.mtimeMs}\0${stats.size}`);
      if (stats.isDirectory()) stack.push(path);
      visited += 1;
    }
    if (visited < FILES_PER_TURN) continue;
    visited = 0;
    await nextTurn();
  }
  return bytesHash(lines.sort().join('\n'));
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // deleted in between, which changes the fingerprint
  }
}
