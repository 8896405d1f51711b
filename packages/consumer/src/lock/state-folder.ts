import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';

const IGNORE_ALL = '*\n';

/** The folder for what is this machine's business only: mutex, journal, index, temporary files. */
export function statePath(directory: string): string {
  return `${directory}/.catalog/state`;
}

/** Makes the state folder, which tells git by itself to leave it alone. */
export function makeStateFolder(directory: string): void {
  const path = statePath(directory);
  refuseLink(`${directory}/.catalog`);
  refuseLink(path);
  mkdirSync(path, { recursive: true });
  for (const name of ['.gitignore', 'holder', 'mutex.db']) refuseLink(`${path}/${name}`);
  ignoreInGit(path);
}

/** Tells git to leave a folder alone, from inside it. */
export function ignoreInGit(folder: string): void {
  const path = `${folder}/.gitignore`;
  if (lstatSync(path, { throwIfNoEntry: false })?.size !== IGNORE_ALL.length) {
    writeFileSync(path, IGNORE_ALL);
  }
}

/** What lies behind a link is not part of the target; nothing is written there. */
function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw behindLink(dirname(path), basename(path));
  }
}

export function behindLink(directory: string, name: string): CatalogError {
  const path = `${directory}/${name}`;
  return new CatalogError(
    'materialize.target_invalid',
    `${path} is a link or leads through one; catalog does not write through links.`,
    { details: { path }, suggested_action: `Remove ${path}, or make it a folder of its own.` },
  );
}
