import { CatalogError } from '@catalog/contract/errors/catalog-error';
import { writeProblem, type WritePurpose } from '@catalog/core/artifact/write-problem';

/** Throws if catalog must not write or delete a path in a folder (ADR-0072). */
export function refusePath(directory: string, path: string, purpose: WritePurpose): void {
  const error = forbiddenPath(directory, path, purpose);
  if (error !== undefined) throw error;
}

/** Returns the error for a forbidden path; undefined if the path is allowed. */
export function forbiddenPath(
  directory: string,
  path: string,
  purpose: WritePurpose,
): CatalogError | undefined {
  const problem = writeProblem(path, purpose);
  if (problem === undefined) return undefined;
  return new CatalogError(
    'materialize.target_invalid',
    `Cannot change ${path} in ${directory}: the path ${problem}.`,
    {
      details: { path, directory },
      suggested_action: 'Fix the artifact, adapter or record that names the path, or leave it out.',
    },
  );
}
