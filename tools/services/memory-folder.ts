import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';

const MEMORY = '/dev/shm';
/** A container often has 64 MB, which is not enough. */
const MIN_FREE_BYTES = 4 * 2 ** 30;

/**
 * Moves temporary files of the tests to memory if there is enough of it: a test that syncs or ingests
 * otherwise waits for the disk hundreds of times. An explicit `TMPDIR` stays. Returns a function that
 * removes the folder.
 */
export function useMemoryFolder(): () => void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return () => undefined;
  const folder = mkdtempSync(`${MEMORY}/catalog-`);
  // PostgreSQL runs as another user and must be able to enter.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => {
    delete process.env['TMPDIR'];
    rmSync(folder, { recursive: true, force: true });
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
