import { lstatSync, statSync, type Stats } from 'node:fs';

/**
 * What tells, without reading it, that a file is still the one that was read: size, times and inode.
 * The change time cannot be set back by a program, so an edit that restores size and modification
 * time is seen too.
 */
export interface Fingerprint {
  size: number;
  mtime: number;
  ctime: number;
  inode: number;
  mode: number;
}

/** Clocks of file systems tick in steps; an edit within one step after a look leaves no trace. */
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

/** The fingerprint of what stands at `path` itself (links are not followed), or undefined. */
export function getFingerprint(path: string): Fingerprint | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : fingerprintOf(stats);
  } catch {
    return undefined; // a file in the place of a folder on the way
  }
}

/** The fingerprint of what a link leads to, or undefined where it leads nowhere. */
export function getLinkedFingerprint(path: string): Fingerprint | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? undefined : fingerprintOf(stats);
  } catch {
    return undefined; // a circle of links
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

/** Whether a file last changed so shortly before `seen_at` that a later edit could look the same. */
export function isRacy(fingerprint: Fingerprint, seen_at: number): boolean {
  return fingerprint.ctime >= seen_at - CLOCK_STEP_MS;
}
