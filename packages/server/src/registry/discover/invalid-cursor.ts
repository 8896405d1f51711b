import { CatalogError } from '@catalog/contract/errors/catalog-error';

export function invalidCursor(): CatalogError {
  return new CatalogError('registry.invalid_argument', '`cursor` is not the cursor of a page.', {
    details: { argument: 'cursor' },
  });
}
