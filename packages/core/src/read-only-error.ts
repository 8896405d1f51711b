import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** What every write gets while the primary store cannot be reached. */
export function readOnlyError(): CatalogError {
  return new CatalogError(
    'registry.read_only',
    'The registry is read-only because its primary database is unreachable. Nothing was changed.',
  );
}
