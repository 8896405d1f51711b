import { statfsSync } from 'node:fs';

/** A file system in memory. */
export const MEMORY = '/dev/shm';

/** A container often has only 64 MB. */
export function hasMemoryFor(bytes: number): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= bytes;
  } catch {
    return false;
  }
}
