import type { CatalogError } from '@catalog/contract/errors/catalog-error';

/** Failure that a damaged local copy may have caused; a fresh clone may succeed. */
export class DamagedRepository extends Error {
  readonly problem: CatalogError;

  constructor(problem: CatalogError) {
    super(problem.message, { cause: problem });
    this.name = 'DamagedRepository';
    this.problem = problem;
  }
}
