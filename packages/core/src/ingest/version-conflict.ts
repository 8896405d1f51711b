import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Creates the error for a version that another ingest stored with different content. */
export function versionConflict(id: string, version: string): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `${id}@${version} was published with different content in the meantime.`,
  );
}
