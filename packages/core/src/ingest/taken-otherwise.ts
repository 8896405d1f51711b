import { CatalogError } from '@catalog/contract/errors/catalog-error';

/** A version that the ledger has with other content: whoever decided to take it looked before that was so. */
export function takenOtherwise(id: string, version: string): CatalogError {
  return new CatalogError(
    'registry.unavailable',
    `${id}@${version} was published with different content in the meantime.`,
  );
}
