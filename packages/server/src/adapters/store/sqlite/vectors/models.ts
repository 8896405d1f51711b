import { CatalogError } from '@catalog/contract/errors/catalog-error';
import type { VectorModel } from '@catalog/core/ports/vector-index';

export function otherDimensions(known: VectorModel, dimensions: number): CatalogError {
  return new CatalogError(
    'config.invalid',
    `The embeddings of the model ${known.name} have ${known.dimensions} dimensions, not ${dimensions}.`,
    { suggested_action: 'Use a different name for a model with other dimensions.' },
  );
}
