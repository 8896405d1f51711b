import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';

export interface TreeWatch {
  close(): void;
}

interface WatchedFolder {
  watcher: FSWatcher;
  /** A watch stays with the folder it was put on, whatever its name means later. */
  inode: number;
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
  const watched = new Map<string, WatchedFolder>();
  let closed = false;

  function close(): void {
    closed = true;
    for (const { watcher } of watched.values()) watcher.close();
    watched.clear();
  }

  function fail(cause: unknown): void {
    if (closed) return;
    close();
    onFailure(cause);
  }

  function forget(folder: string): void {
    for (const [path, { watcher }] of watched) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watched.delete(path);
    }
  }

  /** Watches a folder and those beneath it. Another folder under a known name is another folder. */
  function addFolder(folder: string): void {
    if (closed) return;
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
    watched.set(folder, { watcher, inode });
    addChildren(folder);
  }

  function addChildren(folder: string): void {
    for (const child of listFolders(folder)) {
      try {
        addFolder(child);
      } catch (cause) {
        if (!isGone(cause)) throw cause; // one that went again meanwhile leaves nothing to watch
      }
    }
  }

  /** A name appeared or went, or now means another folder. */
  function refresh(folder: string): void {
    try {
      if (watched.get(folder)?.inode !== inodeOf(folder)) {
        addFolder(folder);
        return;
      }
      const children = new Set(listFolders(folder));
      for (const path of watched.keys()) {
        if (isChild(path, folder) && !children.has(path)) forget(path);
      }
      addChildren(folder);
    } catch (cause) {
      if (folder === root || !isGone(cause)) fail(cause);
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

function inodeOf(folder: string): number {
  return statSync(folder).ino;
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
