import { readdirSync, watch, type FSWatcher } from 'node:fs';

export interface TreeWatch {
  close(): void;
}

/**
 * Watches a folder and every folder beneath it, those that appear later too. Folders whose name
 * starts with a dot are left out, as they are when a layer is read. `onFailure` is called once when
 * watching cannot start or go on (no such folder, or no watches left); nothing is watched after that.
 */
export function watchTree(
  root: string,
  onEvent: () => void,
  onFailure: (cause: unknown) => void,
): TreeWatch {
  const watchers = new Map<string, FSWatcher>();
  let closed = false;

  function close(): void {
    closed = true;
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  }

  function fail(cause: unknown): void {
    if (closed) return;
    close();
    onFailure(cause);
  }

  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watchers.delete(path);
    }
  }

  function addFolder(folder: string): void {
    if (closed || watchers.has(folder)) return;
    const watcher = watch(folder, { persistent: true }, (kind) => {
      if (closed) return;
      onEvent();
      if (kind === 'rename') refresh(folder);
    });
    watcher.on('error', (cause) => {
      if (folder === root) fail(cause);
      else forget(folder);
    });
    watchers.set(folder, watcher);
    for (const child of listFolders(folder)) addFolder(child);
  }

  /** A name appeared or went: watch new folders, forget those that are gone. */
  function refresh(folder: string): void {
    try {
      const children = new Set(listFolders(folder));
      for (const path of watchers.keys()) {
        if (isChild(path, folder) && !children.has(path)) forget(path);
      }
      for (const child of children) addFolder(child);
    } catch (cause) {
      if (!isGone(cause)) fail(cause);
      else if (folder === root) fail(cause);
      else forget(folder);
    }
  }

  try {
    addFolder(root);
  } catch (cause) {
    fail(cause);
  }
  return { close };
}

function listFolders(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => `${folder}/${entry.name}`);
}

function isChild(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) && !path.includes('/', folder.length + 1);
}

function isGone(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}
