import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from './is-missing.ts';

export interface TreeWatch {
  close(): void;
}

interface WatchedFolder {
  watcher: FSWatcher;
  /** Identity of the directory: a watch follows it even if its name later refers to another one. */
  inode: number;
  children: Set<string>;
}

/**
 * Watches a directory with all its subdirectories, except those with a leading dot. Calls `onFailure` once if watching
 * fails, and stops. Adds `at_once` directories before other work can run. If more remain, an event follows, because
 * earlier changes in them are unknown.
 */
export function watchTree(
  root: string,
  onEvent: () => void,
  onFailure: (cause: unknown) => void,
  at_once = Number.POSITIVE_INFINITY,
): TreeWatch {
  const watched = new Map<string, WatchedFolder>();
  const pending: string[] = [];
  let later: NodeJS.Immediate | undefined;
  let closed = false;

  function close(): void {
    closed = true;
    clearImmediate(later);
    for (const { watcher } of watched.values()) watcher.close();
    watched.clear();
  }

  function fail(cause: unknown): void {
    if (closed) return;
    close();
    onFailure(cause);
  }

  function forget(folder: string): void {
    const known = watched.get(folder);
    if (known === undefined) return;
    for (const child of known.children) forget(child);
    known.watcher.close();
    watched.delete(folder);
    watched.get(dirname(folder))?.children.delete(folder);
  }

  function addFolder(folder: string): void {
    const inode = inodeOf(folder);
    if (watched.get(folder)?.inode === inode) return;
    forget(folder);
    const watcher = watch(folder, { persistent: true }, (kind) => {
      if (closed) return;
      onEvent();
      if (kind === 'rename') refresh(folder);
    });
    watcher.on('error', (cause) => {
      if (folder === root) fail(cause);
      else forget(folder);
    });
    watched.set(folder, { watcher, inode, children: new Set() });
    watched.get(dirname(folder))?.children.add(folder);
    for (const child of listFolders(folder)) pending.push(child);
  }

  function addPending(): void {
    if (later === undefined) addSome();
  }

  function addSome(): void {
    const isContinued = later !== undefined;
    later = undefined;
    for (let count = 0; count < at_once; count += 1) {
      const folder = pending.pop();
      if (closed) return;
      if (folder === undefined) {
        if (isContinued) onEvent();
        return;
      }
      try {
        addFolder(folder);
      } catch (cause) {
        if (folder === root || !isMissing(cause)) fail(cause);
      }
    }
    later = setImmediate(addSome);
  }

  function refresh(folder: string): void {
    try {
      const known = watched.get(folder);
      if (known?.inode === inodeOf(folder)) {
        const children = new Set(listFolders(folder));
        for (const path of known.children) if (!children.has(path)) forget(path);
        for (const child of children) pending.push(child);
      } else {
        addFolder(folder);
      }
      addPending();
    } catch (cause) {
      if (folder === root || !isMissing(cause)) fail(cause);
      else forget(folder);
    }
  }

  pending.push(root);
  addPending();
  return { close };
}

function inodeOf(folder: string): number {
  return statSync(folder).ino;
}

function listFolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => `${folder}/${entry.name}`);
}
