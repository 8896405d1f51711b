import { statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { expandHome } from '@catalog/core/text/expand-home';
import { isInside, realFolder } from '../config/real-folder.ts';
import { refuseDirectory } from '../paths/refuse-directory.ts';
import type { MaterializeRequest, MaterializeRun } from './materialized.ts';

type Places = Pick<MaterializeRequest, 'destination' | 'roots'> &
  Pick<MaterializeRun, 'materialize_root' | 'surroundings'>;

export type RootChoice = { kind: 'root'; root: string } | { kind: 'none'; reason: string };

/**
 * Returns the folder for an artifact that an agent loads (SPEC-64): the requested one if allowed, or else the first of
 * `CATALOG_MATERIALIZE_ROOT`, the working folder of the host, and the nearest folder with a `.catalog/`. Never the home
 * folder or its parents (SPEC-45).
 */
export function chooseRoot(places: Places): RootChoice {
  const allowed = listAllowed(places);
  const [first] = allowed;
  if (places.destination !== undefined) {
    const destination = expandHome(places.destination, places.surroundings.home);
    return { kind: 'root', root: insideAllowed(destination, allowed) };
  }
  if (first !== undefined) {
    refuseDirectory(first, first, 'target');
    return { kind: 'root', root: first };
  }
  return {
    kind: 'none',
    reason:
      'The workspace is unknown. The host can name it, or a .catalog/ folder at or above the working folder, below the home folder, can mark it. Use the content of this response. To get files, the user sets CATALOG_MATERIALIZE_ROOT or runs `catalog init` in the project.',
  };
}

function listAllowed({ materialize_root, roots, surroundings }: Places): string[] {
  const { cwd, home } = surroundings;
  const named =
    materialize_root === undefined ? [] : [resolve(cwd, expandHome(materialize_root, home))];
  const host = roots.filter((root) => isAbsolute(root) && isFolder(root));
  const workspace = nearestWorkspace(cwd, home);
  for (const root of named) refuseDirectory(root, workspace, 'target');
  const all = [...named, ...host, ...(workspace === undefined ? [] : [workspace])];
  return all.map(realFolder).filter((root) => !isInside(realFolder(home), root));
}

function nearestWorkspace(cwd: string, home: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (isFolder(`${folder}/.catalog`) && realFolder(folder) !== realFolder(home)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

function insideAllowed(destination: string, allowed: readonly string[]): string {
  if (destination.includes('\0')) throw refused(destination, 'contains a NUL character');
  const [first] = allowed;
  const named = first === undefined ? resolve(destination) : resolve(first, destination);
  const place = realFolder(named);
  const root = allowed.find((folder) => isInside(place, folder));
  if (root === undefined) {
    const where =
      allowed.length === 0 ? 'No folder is allowed here' : `Allowed: ${allowed.join(', ')}`;
    throw refused(destination, `is outside the folders that this agent can write into. ${where}`);
  }
  refuseDirectory(named, root, 'target');
  return place;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function refused(destination: string, problem: string): CatalogError {
  return new CatalogError(
    'materialize.target_invalid',
    `The destination ${destination} ${problem}; nothing was written.`,
    {
      details: { path: destination },
      suggested_action:
        'Use a folder inside the workspace, or leave `destination` out to write into the workspace itself.',
    },
  );
}
