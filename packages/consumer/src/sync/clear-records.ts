import { rmdirSync, rmSync } from 'node:fs';
import { lockPath } from '../lock/read-lock.ts';
import { statePath } from '../lock/state-folder.ts';

/** Takes the lock and the state of a folder away, once nothing in it is catalog's any more. */
export function clearRecords(directory: string): void {
  rmSync(lockPath(directory), { force: true });
  rmSync(statePath(directory), { recursive: true, force: true });
  try {
    rmdirSync(`${directory}/.catalog`);
  } catch {
    // It holds the person's own configuration.
  }
}
