import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { usageError } from '../command/usage-errors.ts';

export interface NewFile {
  /** Absolute. */
  path: string;
  text: string;
  executable?: boolean;
}

/** Writes a file that is not there yet; `force` replaces one that is. */
export function writeNewFile(file: NewFile, force: boolean): void {
  try {
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, file.text, { flag: force ? 'w' : 'wx' });
    if (file.executable === true) chmodSync(file.path, 0o755);
  } catch (cause) {
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
