import { lstatSync, statSync, type Stats } from 'node:fs';

/**
 * State of a file by its metadata. Programs cannot set the change time, so an edit that restores size and modification
 * time is detected too.
 */
export interface Fingerprint {
  size: number;
  mtime: number;
  ctime: number;
  inode: number;
  mode: number;
}

/** Resolution of file system clocks. An edit within this time after reading the metadata is not detected. */
export const CLOCK_STEP_MS = 20;

export function fingerprintOf(stats: Stats): Fingerprint {
  return {
    size: stats.size,
    mtime: stats.mtimeMs,
    ctime: stats.ctimeMs,
    inode: stats.ino,
    mode: stats.mode,
  };
}

/** Returns the fingerprint of an entry, without following links; undefined if it does not exist. */
export function getFingerprint(path: string): Fingerprint | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : fingerprintOf(stats);
  } catch {
    return undefined; // a path component is a file instead of a directory
  }
}

export function getLinkedFingerprint(path: string): Fingerprint | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : fingerprintOf(stats);
  } catch {
    return undefined; // a cycle of links
  }
}

export function sameFingerprint(a: Fingerprint | undefined, b: Fingerprint | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.ctime === b.ctime &&
    a.mtime === b.mtime &&
    a.size === b.size &&
    a.inode === b.inode &&
    a.mode === b.mode
  );
}

/** Returns true if a later edit could leave the fingerprint unchanged. */
export function isRacy(fingerprint: Fingerprint, seen_at: number): boolean {
  return fingerprint.ctime >= seen_at - CLOCK_STEP_MS;
}
