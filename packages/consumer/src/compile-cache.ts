import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import nodeModule from 'node:module';

/**
 * Enables the cache of compiled code in the user's cache folder. Other users can write to the default one, and compiled
 * code controls the program. A cache that other users could write to is emptied.
 */
export function openCompileCache({ XDG_CACHE_HOME, HOME }: NodeJS.ProcessEnv): void {
  const caches = XDG_CACHE_HOME || (HOME === undefined ? undefined : `${HOME}/.cache`);
  if (caches === undefined) return;
  const folder = `${caches}/catalog`;
  const compiled = `${folder}/compiled`;
  try {
    // The outer folder is secured first, so that no other user can replace the inner one.
    for (const path of [folder, compiled]) {
      mkdirSync(path, { recursive: true, mode: 0o700 });
      if (makePrivate(path) === 'changeable') rmSync(compiled, { recursive: true, force: true });
    }
    mkdirSync(compiled, { recursive: true, mode: 0o700 });
  } catch {
    return; // the program runs without the cache if the folder is not writable or belongs to another user
  }
  nodeModule.enableCompileCache(compiled);
}

/** Makes a folder private. Returns `changeable` if other users could write to it before. */
function makePrivate(path: string): 'changeable' | 'private' {
  if (process.geteuid === undefined) return 'private';
  const stats = lstatSync(path);
  const { uid, mode } = stats;
  if (uid !== process.geteuid() || !stats.isDirectory()) throw new Error(`${path} is not ours`);
  if ((mode & 0o077) !== 0) chmodSync(path, 0o700);
  return (mode & 0o022) === 0 ? 'private' : 'changeable';
}
