import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import { fingerprintOf, sameFingerprint, type Fingerprint } from '@catalog/core/node/fingerprint';
import { MAX_FILE_BYTES } from '@catalog/core/layer/collect-snapshot';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import { parentPath } from '@catalog/core/text/slash-path';
import type { Observed } from './reconcile.ts';

/** File whose hash is known while its fingerprint is unchanged. */
export interface KnownFile {
  fingerprint: Fingerprint;
  hash: string;
}

type Folder = { kind: 'folder' } | { kind: 'absent' } | { kind: 'other'; what: string };

/** Reads the state of a target. Links are never followed, because they lead outside. */
export function observeTarget(
  directory: string,
  known: ReadonlyMap<string, KnownFile>,
  leaving: ReadonlySet<string>,
): (path: string) => Observed {
  const folders = new Map<string, Folder>([['', { kind: 'folder' }]]);

  function inspectFolder(path: string): Folder {
    const cached = folders.get(path);
    if (cached !== undefined) return cached;
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const ancestor = end === -1 ? path : path.slice(0, end);
      const found = folders.get(ancestor) ?? folderAt(ancestor);
      folders.set(ancestor, found);
      // A lock can name 500 folders below a missing one in every row, so this stops at the first.
      if (found.kind !== 'folder' || end === -1) return found;
    }
  }

  function folderAt(path: string): Folder {
    const stats = lstatSync(`${directory}/${path}`, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'absent' };
    if (stats.isDirectory()) return { kind: 'folder' };
    if (leaving.has(path)) return { kind: 'absent' };
    return { kind: 'other', what: `${describe(stats)} in place of the folder ${path}` };
  }

  return (path) => {
    const folder = inspectFolder(parentPath(path));
    if (folder.kind !== 'folder') return folder;
    const stats = lstatSync(`${directory}/${path}`, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: 'absent' };
    if (stats.isDirectory())
      return { kind: 'folder', paths: pathsIn(`${directory}/${path}`, path) };
    if (!stats.isFile()) return { kind: 'other', what: describe(stats) };
    // No artifact contains a file of this size.
    if (stats.size > MAX_FILE_BYTES) return { kind: 'other', what: TOO_LARGE };
    const fingerprint = fingerprintOf(stats);
    return {
      kind: 'file',
      hash: hashOf(path, fingerprint),
      executable: (stats.mode & 0o100) !== 0,
      fingerprint,
    };
  };

  function hashOf(path: string, fingerprint: Fingerprint): string {
    const last = known.get(path);
    if (last !== undefined && sameFingerprint(last.fingerprint, fingerprint)) return last.hash;
    return bytesHash(readRegularFile(`${directory}/${path}`, MAX_FILE_BYTES));
  }
}

const TOO_LARGE = `a file larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;

function pathsIn(folder: string, path: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const holding = new Set(entries.map((entry) => entry.parentPath));
  return entries
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .filter((below) => !holding.has(below))
    .map((below) => path + below.slice(folder.length));
}

function describe(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a link';
  return stats.isFile() ? 'a file' : 'a pipe, socket, or device';
}
