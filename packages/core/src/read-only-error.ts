import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Creates the error for writes while the primary store is unavailable. */
export function readOnlyError(): CatalogError {
  return new CatalogError(
    'registry.read_only',
    'The registry is read-only because its primary database is unreachable. Nothing was changed.',
  );
}
