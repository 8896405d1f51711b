import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { AuthoredPackage, PackageFile } from '@catalog/core/artifact/types';
import { equalBytes } from '@catalog/harness/equal-bytes';
import { writeNew } from '../sync/write-file.ts';

const FILE_MODE = 0o644;
const EXECUTABLE_MODE = 0o755;

/** The files of a package with their paths in it. */
export function filesOf({ manifest, skill, resources }: AuthoredPackage): PackageFile[] {
  const file = (path: string, bytes: Uint8Array | undefined): PackageFile[] =>
    bytes === undefined ? [] : [{ path, bytes, executable: false }];
  return [...file('ARTIFACT.md', manifest), ...file('SKILL.md', skill), ...resources];
}

/**
 * What a catalogue has in the place of a package: nothing, the very same, or something that keeps it
 * from being written, as a reason. Nothing is ever replaced, and nothing written through a link.
 */
export function standingFor(
  root: string,
  made: AuthoredPackage,
): 'nothing' | 'same' | { reason: string } {
  const { id } = made;
  const segments = id.split('/');
  for (let length = 1; length < segments.length; length += 1) {
    const part = segments.slice(0, length).join('/');
    const stats = lstatSync(`${root}/${part}`, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) {
      return { reason: `the catalogue's ${part} is no folder` };
    }
  }
  const folder = `${root}/${id}`;
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return 'nothing';
  return isSame(folder, made)
    ? 'same'
    : { reason: `the catalogue has another ${id}; give --domain, or remove that` };
}

function isSame(folder: string, made: AuthoredPackage): boolean {
  const files = filesOf(made);
  try {
    const standing = readdirSync(folder, { recursive: true, withFileTypes: true });
    if (standing.filter((entry) => !entry.isDirectory()).length !== files.length) return false;
    return files.every(({ path, bytes }) => {
      const isFile = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })?.isFile() === true;
      return isFile && equalBytes(readFileSync(`${folder}/${path}`), bytes);
    });
  } catch {
    return false;
  }
}

/** Writes a package that is not there yet; gives the paths below the catalogue. */
export function writePackage(root: string, made: AuthoredPackage): string[] {
  return filesOf(made).map(({ path, bytes, executable }) => {
    const at = `${made.id}/${path}`;
    try {
      mkdirSync(dirname(`${root}/${at}`), { recursive: true });
      writeNew(`${root}/${at}`, bytes, executable ? EXECUTABLE_MODE : FILE_MODE, false);
    } catch (cause) {
      throw new CatalogError(
        'materialize.target_invalid',
        `${root}/${at} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
        { details: { path: `${root}/${at}` }, cause },
      );
    }
    return at;
  });
}
