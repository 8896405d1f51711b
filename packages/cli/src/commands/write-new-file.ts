import { chmodSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { readLocalFile } from '@catalog/consumer/local-file';
import { behindLink } from '@catalog/consumer/lock/state-folder';
import { changedMeanwhile } from '@catalog/consumer/sync/changed-meanwhile';
import { withSaver } from '@catalog/consumer/sync/open-user-saver';
import { openParentGuard } from '@catalog/consumer/sync/parent-guard';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { bytesHash } from '@catalog/core/artifact/content-hash';
import type { WritePurpose } from '@catalog/core/artifact/write-problem';
import type { Session } from '../command/session.ts';
import { usageError } from '../command/usage-errors.ts';

export interface NewFile {
  path: string;
  text: string;
  executable?: boolean;
  /** Creates the folder and returns the mode of the file; by default, the umask decides. */
  prepare?: () => number;
}

/** Place of a new file; below `root`, links are not followed. */
export interface NewFilePlace {
  root: string;
  purpose: WritePurpose;
}

/** Writes a new file. Without a place, the user named the file, and links are followed. */
export function writeNewFile(file: NewFile, place: NewFilePlace | undefined, force: boolean): void {
  try {
    if (place !== undefined) refuseUnsafe(file.path, place);
    const mode = file.prepare?.() ?? 0o666;
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.text, { flag: force ? 'w' : 'wx', mode });
    if (file.executable === true) chmodSync(file.path, 0o755);
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EEXIST' && !force) {
      throw usageError(`${file.path} is already there.`, 'Pass --force to replace it, or edit it.');
    }
    throw new CatalogError(
      'materialize.target_invalid',
      `${file.path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      { details: { path: file.path }, cause },
    );
  }
}

/** Replaces files without losing a save of another program (SPEC-90). `before` is the content that the caller read. */
export async function replaceFiles(
  files: readonly (NewFile & { before?: Uint8Array | undefined })[],
  place: NewFilePlace,
  { home, note }: Pick<Session, 'home' | 'note'>,
): Promise<void> {
  const found = files.map((file) => {
    refuseUnsafe(file.path, place);
    const read = readLocalFile(file.path);
    return { ...file, before: file.before ?? (read.kind === 'file' ? read.bytes : undefined) };
  });
  for (const file of found) if (file.before === undefined) writeNewFile(file, place, false);
  const existing = found.filter(({ before }) => before !== undefined);
  if (existing.length === 0) return;
  await withSaver(home, place.root, (saver) => {
    for (const { path, text, executable, before = new Uint8Array() } of existing) {
      const mode = executable === true ? 0o755 : statSync(path).mode & 0o777;
      const file = { bytes: Buffer.from(text), mode, durable: true };
      if (saver.save(path, file, bytesHash(before)) === 'done') continue;
      throw changedMeanwhile(dirname(path), [basename(path)], saver.kept);
    }
    for (const { path, kept_at } of saver.kept) {
      note(`kept ${path}: another version is in ${join(saver.directory, kept_at)}`);
    }
  });
}

function refuseUnsafe(file: string, { root, purpose }: NewFilePlace): void {
  const path = relative(root, file).replaceAll(sep, '/');
  openParentGuard(root, purpose).check(path);
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw behindLink(root, path);
  }
}
