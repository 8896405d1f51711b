import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Error for a version that the ledger has with different content since the decision was made. */
export function versionConflict(id: string, version: string): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `${id}@${version} was published with different content in the meantime.`,
  );
}
