import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { PackageFile } from '@catalog/core/artifact/types';
import { readRegularFile } from '@catalog/core/node/read-regular-file';
import {
  ORIGINALS_FOLDER,
  type AdoptedPackage,
  type KeptFile,
} from '@catalog/harness/adopt/preserve-sources';
import { equalBytes } from '@catalog/harness/equal-bytes';
import { openParentGuard } from '../sync/parent-guard.ts';
import { writeNew } from '../sync/write-file.ts';

const FILE_MODE = 0o644;
const EXECUTABLE_MODE = 0o755;

/** Comparison of a package with the catalog. Existing files are never replaced. */
export type PackageComparison =
  | { kind: 'nothing' }
  /** The package exists already; `missing` lists kept files that do not. */
  | { kind: 'same'; missing: KeptFile[] }
  | { kind: 'other'; reason: string };

/** Compares a package with the catalog folder at `root`, without following links. */
export function compareWithFolder(root: string, made: AdoptedPackage): PackageComparison {
  const { id } = made;
  const segments = id.split('/');
  for (let length = 1; length < segments.length; length += 1) {
    const part = segments.slice(0, length).join('/');
    const stats = lstatSync(`${root}/${part}`, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) {
      return { kind: 'other', reason: `${part} in the catalog is not a folder` };
    }
  }
  const folder = `${root}/${id}`;
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return { kind: 'nothing' };
  const missing = missingFrom(folder, made);
  return missing === undefined
    ? {
        kind: 'other',
        reason: `the catalog already has a different ${id}; pass --domain, or remove that one`,
      }
    : { kind: 'same', missing };
}

/** Lists kept files that a folder lacks; undefined if the folder differs in any other way. */
function missingFrom(folder: string, made: AdoptedPackage): KeptFile[] | undefined {
  const files = packageFiles(made);
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    if (entries.some((entry) => entry.isSymbolicLink())) return undefined;
    const held = entries.filter(
      (entry) => !entry.isDirectory() && !isOriginal(relative(folder, entry.parentPath)),
    );
    const isSame = held.length === files.length && files.every((file) => isHeld(folder, file));
    if (!isSame) return undefined;
    const missing = made.kept.filter(({ path }) => !existsIn(folder, path));
    const present = made.kept.filter((file) => !missing.includes(file));
    return present.every((file) => isHeld(folder, file)) ? missing : undefined;
  } catch {
    return undefined;
  }
}

function isOriginal(path: string): boolean {
  return path.split(sep)[0] === ORIGINALS_FOLDER;
}

function existsIn(folder: string, path: string): boolean {
  return lstatSync(`${folder}/${path}`, { throwIfNoEntry: false }) !== undefined;
}

function isHeld(folder: string, { path, bytes }: PackageFile): boolean {
  const stats = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false });
  const isSameSize = stats?.isFile() === true && stats.size === bytes.length;
  return isSameSize && equalBytes(readRegularFile(`${folder}/${path}`, bytes.length), bytes);
}

function packageFiles({ manifest, skill, resources }: AdoptedPackage): PackageFile[] {
  const file = (path: string, bytes: Uint8Array | undefined): PackageFile[] =>
    bytes === undefined ? [] : [{ path, bytes, executable: false }];
  return [...file('ARTIFACT.md', manifest), ...file('SKILL.md', skill), ...resources];
}

export function filesToWrite(made: AdoptedPackage, comparison: PackageComparison): PackageFile[] {
  if (comparison.kind === 'other') return [];
  return comparison.kind === 'same' ? comparison.missing : [...packageFiles(made), ...made.kept];
}

export function writeFiles(root: string, id: string, files: readonly PackageFile[]): string[] {
  const written: string[] = [];
  const guard = openParentGuard(root, 'author');
  for (const { path } of files) guard.check(`${id}/${path}`);
  try {
    for (const { path, bytes, executable } of files) {
      const at = `${id}/${path}`;
      guard.check(at);
      mkdirSync(dirname(`${root}/${at}`), { recursive: true });
      writeNew(`${root}/${at}`, bytes, executable ? EXECUTABLE_MODE : FILE_MODE, false);
      written.push(at);
    }
    return written;
  } catch (cause) {
    const failed = `${root}/${id}/${files[written.length]?.path ?? ''}`;
    const isOurs = !(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST');
    // A partial write would look like a complete package.
    for (const at of written) removeNew(root, id, `${root}/${at}`);
    if (isOurs) removeNew(root, id, failed);
    throw new CatalogError(
      'materialize.target_invalid',
      `${failed} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { details: { path: failed }, cause },
    );
  }
}

/** Removes a file of an artifact, and the folders of the artifact that become empty. */
function removeNew(root: string, id: string, file: string): void {
  rmSync(file, { force: true });
  for (let folder = dirname(file); folder.startsWith(`${root}/${id}`); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}
