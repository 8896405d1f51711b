import { existsSync, realpathSync } from 'node:fs';

/** One folder under two names is one folder. */
export function realFolder(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
