import type { VectorIndex } from '@catalog/core/ports/vector-index';

/**
 * Vectors of some models here and of others there: while those of an engine are made, searches go on
 * with the ones the store has.
 */
export function routeVectors(indexOf: (model: string) => VectorIndex): VectorIndex {
  return {
    addModel: (model) => indexOf(model.name).addModel(model),
    dropModel: (name) => indexOf(name).dropModel(name),
    putVectors: (tenant, shelf, vectors) => indexOf(shelf.model).putVectors(tenant, shelf, vectors),
    removeVectors: (tenant, shelf, ids) => indexOf(shelf.model).removeVectors(tenant, shelf, ids),
    countVectors: (tenant, model) => indexOf(model).countVectors(tenant, model),
    settle: (model) => indexOf(model).settle(model),
    searchVectors: (tenant, layers, query) =>
      indexOf(query.model).searchVectors(tenant, layers, query),
    compareVectors: (tenant, asked, documents) =>
      indexOf(asked.model).compareVectors(tenant, asked, documents),
    searchDomainVectors: (tenant, layers, query) =>
      indexOf(query.model).searchDomainVectors(tenant, layers, query),
  };
}
