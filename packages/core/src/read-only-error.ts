import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Returns the error of all writes while the primary store is unreachable. */
export function readOnlyError(): CatalogError {
  return new CatalogError(
    'registry.read_only',
    'The registry is read-only because its primary database is unreachable. Nothing was changed.',
  );
}
