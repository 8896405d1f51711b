import { acquireTargetLock } from '../lock/acquire-target-lock.ts';
import { openLocalState } from '../lock/local-state.ts';
import { openSaver, type FileSaver } from './save-files.ts';
import { writingTo } from './target-error.ts';

/**
 * Opens a saver for files of the user. Previous versions are kept in the state folder of the home, or of `directory` if
 * the home is not writable.
 */
export async function withSaver<T>(
  home: string,
  directory: string,
  run: (saver: FileSaver) => T,
): Promise<T> {
  const writable = openLocalState(home, home).isAuthenticated() ? home : directory;
  const hold = await writingTo(writable, () => acquireTargetLock(writable, { wait_ms: 60_000 }));
  try {
    return run(openSaver(openLocalState(writable, home)));
  } finally {
    hold.release();
  }
}
